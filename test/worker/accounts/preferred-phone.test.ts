import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { loadDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { openDb } from "../../../db/client.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { newPhone } from "../embedded-pool.ts";
import { apiTarget, createDriver, injectFault, resetPlatform, type TestDriver } from "../harness.ts";

beforeEach(() => resetPlatform());

const CODE = "/flex/v1/user/preferred-phone/code";
const VERIFY = "/flex/v1/user/preferred-phone/verify";

async function textsTo(phone: string): Promise<string[]> {
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phone)}`);
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

const codeFor = async (phone: string) => /\d{6}/.exec((await textsTo(phone))[0] ?? "")?.[0] ?? "none";

/** Where the driver's texts go. */
async function textNumberOf({ driverId }: TestDriver): Promise<string> {
  const record = await loadDriver(openDb(env.DB), driverId);
  if (!record) throw new Error("no record");
  return toDriverOwner(record).phoneNumber;
}

async function prefer({ client }: TestDriver, preferredPhoneNumber: string | null): Promise<User> {
  const answer = await client.sealed("PATCH", "/flex/v1/user", {
    updateProfile: true,
    name: "Ana Lima",
    preferredPhoneNumber,
  });
  return (await answer.json<{ Item: User }>()).Item;
}

const verify = ({ client }: TestDriver, code: string) => client.call("POST", VERIFY, { body: { code } });

describe("the preferred number", () => {
  it("gets texts only after a code proved it, and again for each other number", async () => {
    const driver = await createDriver();
    const preferred = newPhone();
    expect(await prefer(driver, preferred)).toMatchObject({ preferredPhoneVerified: false });
    expect(await textNumberOf(driver)).toBe(driver.phoneNumber);
    expect((await driver.client.call("POST", CODE)).status).toBe(204);
    const wrong = (await codeFor(preferred)) === "000000" ? "000001" : "000000";
    expect((await verify(driver, wrong)).status).toBe(422);
    const proved = await verify(driver, await codeFor(preferred));
    expect(await proved.json()).toMatchObject({
      Item: { preferredPhoneNumber: preferred, preferredPhoneVerified: true },
    });
    expect(await textNumberOf(driver)).toBe(preferred);
    // The answer was lost: the code is used, and the number proved.
    const again = await verify(driver, await codeFor(preferred));
    expect(await again.json()).toMatchObject({ Item: { preferredPhoneVerified: true } });
    // Saved once more, it stays proved; another number isn't.
    expect(await prefer(driver, preferred)).toMatchObject({ preferredPhoneVerified: true });
    expect(await prefer(driver, newPhone())).toMatchObject({ preferredPhoneVerified: false });
    expect(await textNumberOf(driver)).toBe(driver.phoneNumber);
    expect((await verify(driver, await codeFor(preferred))).status).toBe(410);
  });

  it("that was stored before it had to be proved gets no texts", async () => {
    const driver = await createDriver();
    await env.DB.prepare("UPDATE users SET preferred_phone_number = ? WHERE id = ?")
      .bind(newPhone(), driver.driverId)
      .run();
    expect(await textNumberOf(driver)).toBe(driver.phoneNumber);
  });

  it("needs no code if it is the account's own", async () => {
    const driver = await createDriver();
    expect(await prefer(driver, driver.phoneNumber)).toMatchObject({ preferredPhoneVerified: true });
  });

  it("gets a second code at once, then waits, and says so", async () => {
    const driver = await createDriver();
    const none = await driver.client.call("POST", CODE);
    expect(none.status).toBe(404);
    await prefer(driver, newPhone());
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await driver.client.call("POST", CODE)).status);
    expect(statuses).toEqual([204, 204, 429]);
  });

  it("of a country without texts is refused, and a text that fails is reported and may be requested at once", async () => {
    const driver = await createDriver();
    await prefer(driver, "+18765550123");
    const refused = await driver.client.call("POST", CODE);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { fields: { preferredPhoneNumber: "invalid" } },
    ]);
    await prefer(driver, newPhone());
    await injectFault({ operation: "sendMessage", fault: "401", times: 1 });
    const failed = await driver.client.call("POST", CODE);
    expect([failed.status, await failed.json()]).toMatchObject([503, { code: "text_not_sent" }]);
    expect((await driver.client.call("POST", CODE)).status).toBe(204);
  });
});
