import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { openDb } from "../../../db/client.ts";
import { deleteExpiredSeals } from "../../../db/queries/identity/one-time-proofs.ts";
import { errorResponse } from "../../../worker/contract/error-response.ts";
import { SEALED_ROUTES, sealedBody, type SealedBody } from "../../../worker/contract/sealed-body.ts";
import { userResponse, type UserResponse } from "../../../worker/contract/account/user.ts";
import { app } from "../../../worker/app.ts";
import { createDriver, resetPlatform, type TestDriver } from "../harness.ts";

beforeEach(() => resetPlatform());

const SECURE = { mode: "secure" };

/** Status and error code. */
async function outcomeOf(response: Response): Promise<[status: number, code: string | null]> {
  const parsed = z.safeParse(errorResponse, await response.json().catch(() => null));
  return [response.status, parsed.success ? parsed.data.code : null];
}

async function sealFor(driver: TestDriver, method: string, path: string, body: unknown): Promise<SealedBody> {
  return z.parse(sealedBody, await driver.client.seal(method, path, body));
}

async function modeOf({ client }: TestDriver): Promise<string> {
  return z.parse(userResponse, await client.fetchJson<UserResponse>("GET", "/flex/v1/user")).Item.mode;
}

/** Flips the lowest bit of one byte of a Base64 text. */
function flipByte(base64: string, position: number): string {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const at = position < 0 ? bytes.length + position : position;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return btoa(String.fromCharCode(...bytes));
}

describe("a sealed call", () => {
  it.each(SEALED_ROUTES)("%s rejects a plain body", async (route) => {
    const { client } = await createDriver();
    const [method = "", path = ""] = route.split(" ");
    expect(await outcomeOf(await client.call(method, path, { body: SECURE }))).toEqual([
      400,
      "seal_required",
    ]);
    expect(await outcomeOf(await client.call(method, path))).toEqual([400, "seal_required"]);
  });

  it.each([
    ["the first byte of its text", (sealed: SealedBody) => ({ ...sealed, data: flipByte(sealed.data, 0) })],
    ["the last byte of its tag", (sealed: SealedBody) => ({ ...sealed, data: flipByte(sealed.data, -1) })],
    ["its nonce", (sealed: SealedBody) => ({ ...sealed, nonce: flipByte(sealed.nonce, 3) })],
    ["the id of its key", (sealed: SealedBody) => ({ ...sealed, id: flipByte(sealed.id, -1) })],
    ["all of its text", (sealed: SealedBody) => ({ ...sealed, data: "" })],
  ])("rejects a body with modified %s", async (_what, change) => {
    const driver = await createDriver();
    const sealed = await sealFor(driver, "PATCH", "/flex/v1/user", SECURE);
    const changed = await driver.client.call("PATCH", "/flex/v1/user", { body: change(sealed) });
    expect(await outcomeOf(changed)).toEqual([400, "seal_broken"]);
    expect(await modeOf(driver)).toBe("lucrative");
    const untouched = await driver.client.call("PATCH", "/flex/v1/user", { body: sealed });
    expect([untouched.status, await modeOf(driver)]).toEqual([200, "secure"]);
  });

  it.each([
    ["of another path", "PATCH", "/flex/v1/setup/otp"],
    ["of another method", "PUT", "/flex/v1/user"],
    ["of a path below it", "PATCH", "/flex/v1/user/x"],
  ])("rejects a body %s", async (_what, method, path) => {
    const driver = await createDriver();
    const sealed = await sealFor(driver, method, path, SECURE);
    const response = await driver.client.call("PATCH", "/flex/v1/user", { body: sealed });
    expect(await outcomeOf(response)).toEqual([400, "seal_broken"]);
    expect(await modeOf(driver)).toBe("lucrative");
  });

  it("works once: the same body sent again is refused, whoever sends it", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    const sealed = await sealFor(driver, "PATCH", "/flex/v1/user", SECURE);
    expect((await driver.client.call("PATCH", "/flex/v1/user", { body: sealed })).status).toBe(200);
    for (const { client } of [driver, other]) {
      const again = await client.call("PATCH", "/flex/v1/user", { body: sealed });
      expect(await outcomeOf(again)).toEqual([400, "seal_expired"]);
    }
    expect(await modeOf(other)).toBe("lucrative");
  });

  it("rejects a body that was sealed for another caller, and takes it from its own", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    const sealed = await driver.client.seal("PATCH", "/flex/v1/user", SECURE, Date.now(), driver.driverId);
    const stolen = await other.client.call("PATCH", "/flex/v1/user", { body: sealed });
    expect([await outcomeOf(stolen), await modeOf(other)]).toEqual([[400, "seal_broken"], "lucrative"]);
    const own = await driver.client.call("PATCH", "/flex/v1/user", { body: sealed });
    expect([own.status, await modeOf(driver)]).toEqual([200, "secure"]);
  });

  it("is forgotten once it is too old to be sent again", async () => {
    const { client } = await createDriver();
    await client.sealed("PATCH", "/flex/v1/user", SECURE);
    const kept = () => env.DB.prepare("SELECT count(*) AS count FROM used_seals").first("count");
    await deleteExpiredSeals(openDb(env.DB), Date.now());
    expect(await kept()).not.toBe(0);
    await deleteExpiredSeals(openDb(env.DB), Date.now() + 6 * 60_000);
    expect(await kept()).toBe(0);
  });

  it("rejects an expired seal or an expired key", async () => {
    const { client } = await createDriver();
    const late = await client.sealed("PATCH", "/flex/v1/user", SECURE, Date.now() - 6 * 60_000);
    const early = await client.sealed("PATCH", "/flex/v1/user", SECURE, Date.now() + 6 * 60_000);
    const sealed = z.parse(sealedBody, await client.seal("PATCH", "/flex/v1/user", SECURE));
    const issuedAt = new DataView(new ArrayBuffer(8));
    issuedAt.setBigUint64(0, BigInt(Date.now() - 25 * 3_600_000));
    const id = btoa(String.fromCharCode(...new Uint8Array(issuedAt.buffer)) + atob(sealed.id).slice(8));
    const oldKey = await client.call("PATCH", "/flex/v1/user", { body: { ...sealed, id } });
    for (const response of [late, early, oldKey]) {
      expect(await outcomeOf(response)).toEqual([400, "seal_expired"]);
    }
  });

  it("names the invalid fields of a validly sealed body", async () => {
    const { client } = await createDriver();
    const response = await client.sealed("POST", "/flex/v1/setup/otp", { code: "12" });
    expect(z.parse(errorResponse, await response.json())).toMatchObject({
      code: "invalid_request",
      fields: { code: "invalid" },
    });
  });
});

it("is not required by any other route", async () => {
  const { client } = await createDriver();
  const plain = app.routes
    .filter(({ method, path }) => ["POST", "PUT", "PATCH"].includes(method) && path.startsWith("/flex/v1/"))
    .map(({ method, path }) => `${method} ${path.replace(/:phone.*$/, "+15550109999").replace(":id", "x")}`)
    .filter((route) => !SEALED_ROUTES.some((sealed) => sealed === route));
  expect(plain.length).toBeGreaterThan(5);
  for (const route of new Set(plain)) {
    const [method = "", path = ""] = route.split(" ");
    const [, code] = await outcomeOf(await client.call(method, path, { body: {} }));
    expect({ route, asksForSeal: code?.startsWith("seal_") ?? false }).toEqual({ route, asksForSeal: false });
  }
});
