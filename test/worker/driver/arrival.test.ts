import { env, SELF } from "cloudflare:test";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import type { CheckInResponse, DevicePosition, NextBlockResponse } from "../../../db/shapes/work/check-in.ts";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import { createKeys } from "../../../durable/runtime/keys.ts";
import { issueArrivedToken } from "../../../worker/routes/work/check-in.ts";
import { platformWorld, postJson, acceptOnPlatform } from "../../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import {
  injectFault,
  createLinkedDriver,
  driverObject,
  apiTarget,
  resetPlatform,
  createDriver,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

/** A driver with a block at the first warehouse, and a fresh fix at that warehouse. */
async function arriving(inMinutes = 10) {
  const driver = await createLinkedDriver();
  const warehouseId = driver.warehouseIds[0]!;
  const blockId = await acceptOnPlatform(apiTarget, driver.email, { warehouseId, inMinutes });
  const { warehouses } = await platformWorld(apiTarget);
  const station = warehouses.find((known) => known.warehouseId === warehouseId)!.location;
  const fix: DevicePosition = { ...station, accuracyMeters: 12.5, observedAt: Date.now() };
  return { driver, blockId, warehouseId, fix };
}

const checkIn = ({ client }: TestDriver, blockId: string, fix: unknown) =>
  client.call("POST", `/flex/v1/blocks/${blockId}/check-in`, { body: fix });

async function refusal(answer: Response) {
  const { code, fields } = await answer.json<ErrorResponse>();
  return { status: answer.status, code, ...(fields ? { fields } : {}) };
}

async function arrivedToken({ client }: TestDriver): Promise<string> {
  return (await client.fetchJson<{ token: string }>("GET", "/flex/v1/user/im-here/data")).token;
}

const withToken = (method: string, path: string, token: string, body?: unknown) =>
  SELF.fetch(`${apiTarget.origin}${path}`, {
    method,
    headers: { authorization: `ImHere ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe("the next block", () => {
  it("is returned with its warehouse, even if it was accepted by hand and the switch is off", async () => {
    const { driver, blockId, warehouseId } = await arriving();
    const { block, warehouse } = await driver.client.fetchJson<NextBlockResponse>(
      "GET",
      "/flex/v1/blocks/next",
    );
    expect([block?.blockId, block?.status, warehouse?.warehouseId]).toEqual([
      blockId,
      "scheduled",
      warehouseId,
    ]);
  });

  it("is null if none starts soon or no account is linked", async () => {
    const { driver } = await arriving(13 * 60);
    const none = { block: null, warehouse: null, obstacle: null };
    expect(await driver.client.fetchJson("GET", "/flex/v1/blocks/next")).toEqual(none);
    expect(await (await createDriver()).client.fetchJson("GET", "/flex/v1/blocks/next")).toEqual({
      ...none,
      obstacle: { kind: "not_linked" },
    });
  });
});

describe("checking in", () => {
  it("sends the device's position and marks the block as checked in", async () => {
    const { driver, blockId, fix } = await arriving();
    const answer = await checkIn(driver, blockId, fix);
    const body = await answer.json<CheckInResponse>();
    expect([answer.status, body.outcome]).toEqual([200, "checked_in"]);
    const { held } = await driverObject(driver).snapshot();
    expect(held.map(({ blockId, status }) => ({ blockId, status }))).toEqual([
      { blockId, status: "checked_in" },
    ]);
    const again = await checkIn(driver, blockId, fix);
    expect(await again.json()).toEqual({ outcome: "already_checked_in" });
  });

  it("returns the distance that the platform measured", async () => {
    const { driver, blockId, fix } = await arriving();
    const answer = await checkIn(driver, blockId, { ...fix, latitude: fix.latitude + 0.01 });
    const body = await answer.json<CheckInResponse>();
    expect(body).toEqual({ outcome: "outside_geofence", distanceMeters: expect.closeTo(1112, 0) });
  });

  it("reports when check-in opens, and that it has closed", async () => {
    const early = await arriving(120);
    const answer = await checkIn(early.driver, early.blockId, early.fix);
    const { block } = await early.driver.client.fetchJson<NextBlockResponse>("GET", "/flex/v1/blocks/next");
    expect(await answer.json()).toEqual({ outcome: "too_early", opensAt: block!.startsAt - 30 * 60_000 });
    const late = await arriving(-20);
    expect(await (await checkIn(late.driver, late.blockId, late.fix)).json()).toEqual({
      outcome: "too_late",
    });
  });

  it.each([
    ["a fix older than a minute", { observedAt: Date.now() - 120_000 }, { observedAt: "invalid" }],
    ["a fix from the future", { observedAt: Date.now() + 3_600_000 }, { observedAt: "invalid" }],
    ["a coarse fix", { accuracyMeters: 501 }, { accuracyMeters: "too_large" }],
    ["an invalid latitude", { latitude: 91 }, { latitude: "too_large" }],
    ["an invalid longitude", { longitude: -181 }, { longitude: "too_small" }],
  ])("rejects %s, naming the field, without calling the platform", async (_name, change, fields) => {
    const { driver, blockId, fix } = await arriving();
    await injectFault({ operation: "checkIn", fault: "503" });
    const answer = await checkIn(driver, blockId, { ...fix, ...change });
    expect(await refusal(answer)).toEqual({ status: 400, code: "invalid_request", fields });
  });

  it("rejects a malformed body, and ignores a field that a later page adds", async () => {
    const { driver, blockId, fix } = await arriving();
    expect((await checkIn(driver, blockId, "here")).status).toBe(400);
    expect((await checkIn(driver, blockId, { ...fix, latitude: "north" })).status).toBe(400);
    expect((await checkIn(driver, blockId, { ...fix, speed: 3 })).status).toBe(200);
  });

  it("works only for the driver's own blocks", async () => {
    const { blockId, fix } = await arriving();
    const other = await createLinkedDriver();
    // The platform isn't asked, which would fail.
    await injectFault({ operation: "checkIn", fault: "503" });
    expect(await refusal(await checkIn(other, blockId, fix))).toEqual({ status: 404, code: "not_found" });
    expect(await refusal(await checkIn(other, "nothing", fix))).toEqual({ status: 404, code: "not_found" });
  });

  it("is 404 for a block that was given back by hand", async () => {
    const { driver, blockId, fix } = await arriving(60);
    await driver.client.fetchJson("GET", "/flex/v1/blocks/next");
    await SELF.fetch(`${apiTarget.origin}/sandbox/platform/blocks/${blockId}`, { method: "DELETE" });
    expect(await refusal(await checkIn(driver, blockId, fix))).toEqual({ status: 404, code: "not_found" });
    const { block } = await driver.client.fetchJson<NextBlockResponse>("GET", "/flex/v1/blocks/next");
    expect(block).toBeNull();
  });

  it.each([
    ["503", "platform_unreachable", 503],
    ["broken_json", "platform_unreachable", 503],
    ["429", "rate_limited", 429],
  ])("reports why it failed if the platform answers %s", async (name, code, status) => {
    const { driver, blockId, fix } = await arriving();
    await driver.client.fetchJson("GET", "/flex/v1/blocks/next");
    await injectFault({ operation: "checkIn", fault: name, times: 1, retryAfter: 7 });
    const answer = await checkIn(driver, blockId, fix);
    expect(answer.headers.get("retry-after")).toBe(name === "429" ? "7" : null);
    expect(await refusal(answer)).toEqual({ status, code });
  });

  it("requires linking if the platform signed the driver out or no account is linked", async () => {
    const { driver, blockId, fix } = await arriving();
    await driver.client.fetchJson("GET", "/flex/v1/blocks/next");
    const { drivers } = await platformWorld(apiTarget);
    const onPlatform = drivers.find(({ email }) => email === driver.email);
    await postJson(apiTarget, `/sandbox/platform/drivers/${onPlatform?.driverId}/sign-out`, {});
    const notLinked = { status: 409, code: "not_linked" };
    expect(await refusal(await checkIn(driver, blockId, fix))).toEqual(notLinked);
    const { phase, isLinked } = await driverObject(driver).snapshot();
    expect([phase.kind, isLinked]).toEqual(["off", false]);
    const next = await driver.client.fetchJson<NextBlockResponse>("GET", "/flex/v1/blocks/next");
    expect([next.block?.blockId, next.obstacle]).toEqual([blockId, { kind: "not_linked" }]);
    expect(await refusal(await checkIn(await createDriver(), blockId, fix))).toEqual(notLinked);
  });
});

describe("the arrived token", () => {
  it("gives access to the next block and the check-in, and nothing else", async () => {
    const { driver, blockId, fix } = await arriving();
    const token = await arrivedToken(driver);
    const next = await withToken("GET", "/flex/v1/blocks/next", token);
    expect((await next.json<NextBlockResponse>()).block?.blockId).toBe(blockId);
    const done = await withToken("POST", `/flex/v1/blocks/${blockId}/check-in`, token, fix);
    expect((await done.json<CheckInResponse>()).outcome).toBe("checked_in");
    const others = [
      ["GET", "/flex/v1/user"],
      ["GET", "/flex/v1/user/im-here/data"],
      ["GET", "/flex/v1/blocks?type=won"],
      ["GET", "/flex/v1/setup"],
      ["DELETE", "/flex/v1/setup"],
      ["POST", "/flex/v1/live/ticket"],
      ["POST", "/flex/v1/blocks/next"],
    ] as const;
    for (const [method, path] of others) {
      expect({ path, ...(await refusal(await withToken(method, path, token))) }).toEqual({
        path,
        status: 401,
        code: "unauthenticated",
      });
    }
    const asBearer = await driver.client.call("GET", "/flex/v1/blocks/next", {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(asBearer.status).toBe(401);
  });

  it("is valid for ten minutes and only unmodified", async () => {
    const driver = await createLinkedDriver();
    const keys = createKeys(DEMO_SETTINGS.MASTER_KEYS);
    const { driverId } = driver;
    const now = Date.now();
    const good = await issueArrivedToken(keys, { driverId, sessionId: null, now: now - 9 * 60_000 });
    const over = await issueArrivedToken(keys, { driverId, sessionId: null, now: now - 11 * 60_000 });
    const [ticketKey] = await keys.derive("ticket", "live");
    const ticket = await new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(driverId)
      .setAudience("im-here")
      .setExpirationTime(new Date(now + 60_000))
      .sign(ticketKey);
    const statuses = [];
    for (const token of [good, over, ticket, driver.token, "", "x.y.z"]) {
      statuses.push((await withToken("GET", "/flex/v1/blocks/next", token)).status);
    }
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401]);
  });

  it("requires a record", async () => {
    const driver = await createDriver();
    await env.DB.prepare(`DELETE FROM users WHERE id = ?`).bind(driver.driverId).run();
    const answer = await driver.client.call("GET", "/flex/v1/user/im-here/data");
    expect(await refusal(answer)).toEqual({ status: 404, code: "not_found" });
  });
});
