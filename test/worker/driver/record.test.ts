import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { openDb } from "../../../db/client.ts";
import { loadDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { driverId } from "../../../db/shapes/units.ts";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import type { User, UserDetails } from "../../../worker/contract/account/user.ts";
import { linkPlatformAccount } from "../../support/sandbox-client.ts";
import {
  driverObject,
  apiTarget,
  resetPlatform,
  resetWorld,
  createDriver,
  runAlarm,
  createActiveDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());
afterEach(() => void vi.restoreAllMocks());

const DETAILS: UserDetails = {
  name: "Ana Maria",
  preferredPhoneNumber: "+15550107788",
  humanTimezone: "America/Chicago",
  humanRegion: "Chicago",
};

describe("a driver's own details", () => {
  it("are replaced and sent to the driver's object", async () => {
    const driver = await createDriver();
    const { Item } = await driver.client.fetchJson<{ Item: User }>(
      "PUT",
      `/flex/v1/user/${driver.phoneNumber}`,
      {
        body: { ...DETAILS, name: "  Ana\u202e\nMaria\u200b " },
      },
    );
    expect(Item).toMatchObject({ ...DETAILS, phoneNumber: driver.phoneNumber });
    expect((await driverObject(driver).snapshot()).timeZone).toBe("America/Chicago");
  });

  it.each(["the record", "a call"])(
    "stay at the driver's object where %s with those of before arrives late",
    async (what) => {
      const driver = await createDriver();
      const record = await loadDriver(openDb(env.DB), z.parse(driverId, driver.driverId));
      if (!record) throw new Error("there is no record");
      await driver.client.call("PUT", `/flex/v1/user/${driver.phoneNumber}`, { body: DETAILS });
      const owner = toDriverOwner(record);
      if (what === "the record") await driverObject(driver).configure(owner, record.profile);
      else await driverObject(driver).linkStatus(owner);
      expect((await driverObject(driver).snapshot()).timeZone).toBe("America/Chicago");
    },
  );

  it("accept an encoded number in the path", async () => {
    const driver = await createDriver();
    const path = `/flex/v1/user/${encodeURIComponent(driver.phoneNumber)}`;
    expect((await driver.client.call("PUT", path, { body: DETAILS })).status).toBe(200);
  });

  it("can't be changed by another driver", async () => {
    const [mine, other] = [await createDriver(), await createDriver()];
    const answer = await mine.client.call("PUT", `/flex/v1/user/${other.phoneNumber}`, { body: DETAILS });
    const { Item } = await other.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect([answer.status, (await answer.json<ErrorResponse>()).code, Item.name]).toEqual([
      403,
      "forbidden",
      "Ana",
    ]);
  });

  it.each([
    ["a name of one letter", { name: " A " }, "name", "too_small"],
    ["no name", { name: undefined }, "name", "required"],
    ["a number of nine digits", { preferredPhoneNumber: "+1555010778" }, "preferredPhoneNumber", "invalid"],
    [
      "another country's number",
      { preferredPhoneNumber: "+445550107788" },
      "preferredPhoneNumber",
      "invalid",
    ],
    ["an unknown time zone", { humanTimezone: "Mars/Base" }, "humanTimezone", "invalid"],
    ["an empty time zone", { humanTimezone: "" }, "humanTimezone", "too_small"],
    ["a region that is too long", { humanRegion: "x".repeat(101) }, "humanRegion", "too_long"],
  ])("are rejected with %s", async (_name, change, field, reason) => {
    const driver = await createDriver();
    const answer = await driver.client.call("PUT", `/flex/v1/user/${driver.phoneNumber}`, {
      body: { ...DETAILS, ...change },
    });
    const { code, fields } = await answer.json<ErrorResponse>();
    expect([answer.status, code, fields?.[field]]).toEqual([400, "invalid_request", reason]);
    expect((await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user")).Item.name).toBe("Ana");
  });
});

describe("details with a field that only a later page sends", () => {
  it("are saved without it", async () => {
    const driver = await createDriver();
    const answer = await driver.client.call("PUT", `/flex/v1/user/${driver.phoneNumber}`, {
      body: { ...DETAILS, proxyInstalled: true, vehicle: "van" },
    });
    const { Item } = await answer.json<{ Item: User }>();
    expect([answer.status, Item.name, Item.proxyInstalled]).toEqual([200, DETAILS.name, false]);
    expect(Item).not.toHaveProperty("vehicle");
  });
});

describe("an error report of a page", () => {
  const report = { caller: "error_page", name: "TypeError", message: "x is undefined", stack: null };

  it("is logged without tokens, e-mail addresses and numbers", async () => {
    const driver = await createDriver();
    const error = vi.spyOn(console, "error").mockReturnValue();
    const answer = await driver.client.sealed("POST", "/flex/v1/errors", {
      ...report,
      message: `no ${driver.token} for ana@example.com at (555) 010-7788, code=4821, 123456`,
      stack: `at go (https://jornada.test/assets/pay-Ab12.js?ticket=abc:1:204)\n${"at x\n".repeat(2000)}`,
    });
    const line = JSON.parse(String(error.mock.calls[0]?.[0]));
    expect(answer.status).toBe(204);
    expect(line).toEqual({
      event: "page.error.reported",
      requestId: answer.headers.get("x-request-id"),
      driverId: driver.driverId,
      caller: "error_page",
      name: "TypeError",
      message: "no [token] for [email] at [number], code=[secret], [number]",
      stack: expect.stringContaining("assets/pay-Ab12.js?ticket=[secret]"),
    });
    expect(line.stack).toHaveLength(2000);
  });

  it("is logged without a stack, which not everything that is thrown has", async () => {
    const driver = await createDriver();
    const error = vi.spyOn(console, "error").mockReturnValue();
    const answer = await driver.client.sealed("POST", "/flex/v1/errors", { ...report, stack: undefined });
    expect([answer.status, JSON.parse(String(error.mock.calls[0]?.[0] ?? "null"))]).toMatchObject([
      204,
      { event: "page.error.reported", name: "TypeError", stack: null },
    ]);
  });

  it("is limited to ten per minute", async () => {
    const driver = await createDriver();
    const error = vi.spyOn(console, "error").mockReturnValue();
    const statuses: number[] = [];
    for (let time = 0; time < 12; time += 1) {
      statuses.push((await driver.client.sealed("POST", "/flex/v1/errors", report)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 204), 429, 429]);
    expect(error).toHaveBeenCalledTimes(10);
    const other = await createDriver();
    expect((await other.client.sealed("POST", "/flex/v1/errors", report)).status).toBe(204);
  });

  it.each([
    [
      "a plain body",
      (driver: Awaited<ReturnType<typeof createDriver>>) =>
        driver.client.call("POST", "/flex/v1/errors", { body: report }),
      "seal_required",
    ],
    [
      "no caller",
      (driver: Awaited<ReturnType<typeof createDriver>>) =>
        driver.client.sealed("POST", "/flex/v1/errors", { ...report, caller: "" }),
      "invalid_request",
    ],
    [
      "a stack without an end",
      (driver: Awaited<ReturnType<typeof createDriver>>) =>
        driver.client.sealed("POST", "/flex/v1/errors", { ...report, stack: "x".repeat(16_001) }),
      "invalid_request",
    ],
  ])("is refused with %s", async (_name, send, code) => {
    const answer = await send(await createDriver());
    expect([answer.status, (await answer.json<ErrorResponse>()).code]).toEqual([400, code]);
  });
});

describe("a driver signed out by the platform", () => {
  it("is no longer linked, but keeps the e-mail to link again", async () => {
    const driver = await createActiveDriver();
    await resetWorld();
    await runAlarm(driver);
    const { Item } = await vi.waitUntil(async () => {
      const answer = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
      return answer.Item.proxyInstalled ? null : answer;
    });
    expect([(await driverObject(driver).snapshot()).phase.kind, Item.setupComplete, Item.flexEmail]).toEqual([
      "needs_link",
      false,
      driver.email,
    ]);
    expect((await driver.client.setup()).step).toBe("credentials");
  });

  it("can link again", async () => {
    const driver = await createActiveDriver();
    await resetWorld();
    await runAlarm(driver);
    await linkPlatformAccount({ ...apiTarget, client: driver.client }, driver.email);
    const { Item } = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect([Item.proxyInstalled, Item.setupComplete]).toEqual([true, true]);
  });
});

describe("an error report of a visitor's page", () => {
  const report = { caller: "error_page", name: "TypeError", stack: null };
  let visitors = 0;
  const send = (body: unknown, address = `203.0.113.${(visitors += 1)}`) =>
    apiTarget.fetch(`${apiTarget.origin}/status/errors`, {
      method: "POST",
      headers: { "content-type": "application/json", "cf-connecting-ip": address },
      body: JSON.stringify(body),
    });

  it("is logged as what broke and where, without a token and without what it quotes", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue();
    const stack = [
      "TypeError: Ana Maria is not at",
      "  home, she said",
      "    at go (https://jornada.test/assets/pay-Ab12.js?ref=Ana&x=1:1:204)",
      "run@https://jornada.test/assets/app.js#Ana:3:4",
    ].join("\n");
    const answer = await send({ ...report, stack });
    expect(answer.status).toBe(204);
    expect(JSON.parse(String(error.mock.calls[0]?.[0]))).toEqual({
      event: "page.error.reported",
      requestId: answer.headers.get("x-request-id"),
      driverId: null,
      caller: "error_page",
      name: "TypeError",
      stack:
        "    at go (https://jornada.test/assets/pay-Ab12.js:1:204)\nrun@https://jornada.test/assets/app.js:3:4",
    });
  });

  it("is limited to five a minute from an address", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const statuses: number[] = [];
    for (let time = 0; time < 7; time += 1) statuses.push((await send(report, "203.0.113.250")).status);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429]);
    expect((await send(report)).status).toBe(204);
  });

  it.each([
    ["a message", { ...report, message: "Ana" }, 400],
    ["a stack without an end", { ...report, stack: "x".repeat(4_001) }, 400],
    ["a body without an end", { ...report, stack: "x".repeat(20_000) }, 413],
  ])("is refused with %s", async (_what, body, status) => {
    expect((await send(body)).status).toBe(status);
  });
});
