import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { signIn } from "../../support/sandbox-client.ts";
import { apiTarget, resetPlatform, createDriver } from "../harness.ts";

beforeEach(() => resetPlatform());

async function problemOf(answer: Response): Promise<ErrorResponse> {
  return answer.json<ErrorResponse>();
}

describe("a route with a sealed body", () => {
  it("rejects a plain body and an expired seal", async () => {
    const driver = await createDriver();
    const change = { mode: "secure" } as const;
    const plain = await driver.client.call("PATCH", "/flex/v1/user", { body: change });
    const late = await driver.client.sealed("PATCH", "/flex/v1/user", change, Date.now() - 6 * 60_000);
    const seal = await driver.client.seal("PATCH", "/flex/v1/user", change);
    const swapped = seal.data.startsWith("A") ? "B" : "A";
    const changed = await driver.client.call("PATCH", "/flex/v1/user", {
      body: { ...seal, data: swapped + seal.data.slice(1) },
    });
    const others = await driver.client.seal("POST", "/flex/v1/setup/otp", change);
    const elsewhere = await driver.client.call("PATCH", "/flex/v1/user", { body: others });
    const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];
    expect(await codeOf(plain)).toEqual([400, "seal_required"]);
    expect(await codeOf(late)).toEqual([400, "seal_expired"]);
    expect(await codeOf(changed)).toEqual([400, "seal_broken"]);
    expect(await codeOf(elsewhere)).toEqual([400, "seal_broken"]);
    const { Item } = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect(Item.mode).toBe("lucrative");
  });

  it("accepts the four kinds of a change, one at a time, with whatever a later page adds", async () => {
    const driver = await createDriver();
    const good = [
      { mode: "secure" },
      { mode: "masacre", specialMode: "wf" },
      { mode: "secure", specialMode: null },
      { language: "pt", updateLanguage: true },
      { updateProfile: true, name: "Ana Maria", preferredPhoneNumber: null },
      { language: "es", updateLanguage: true, vehicle: "van" },
    ];
    const bad = [
      { mode: "fast" },
      { mode: "secure", language: "pt", updateLanguage: true },
      { language: "fr", updateLanguage: true },
      { updateProfile: true, name: "A", preferredPhoneNumber: null },
      { updateProfile: true, name: "Ana", preferredPhoneNumber: "5550100" },
      { updatePlace: true, humanTimezone: "America/Chicago", humanRegion: null },
      {},
    ];
    const answers = await Promise.all(
      [...good, ...bad].map((body) => driver.client.sealed("PATCH", "/flex/v1/user", body)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([...good.map(() => 200), ...bad.map(() => 400)]);
  });
});

describe("a registration that names nothing for what it may leave out", () => {
  it("gets a record with the defaults", async () => {
    const phoneNumber = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
    const token = await signIn(apiTarget, { driverId: crypto.randomUUID(), phoneNumber });
    const fetchThere: typeof apiTarget.fetch = (input, init) => apiTarget.fetch(input, { ...init, cf: {} });
    const client = new DriverClient({ ...apiTarget, fetch: fetchThere, token });
    const nothing = { password: null, referral: null, humanTimezone: null };
    const answer = await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber, ...nothing });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { Item: { referral: "jornada", humanTimezone: "America/New_York" } },
    ]);
  });
});

describe("the time zone of a new driver's record", () => {
  it.each([
    ["the device's", "America/Phoenix", { timezone: "America/Chicago" }, "America/Phoenix"],
    ["else the edge's", "Etc/Unknown", { timezone: "America/Chicago" }, "America/Chicago"],
    ["else New York's", "America/Founded_Tomorrow", { timezone: "Etc/Unknown" }, "America/New_York"],
    ["New York's where nobody says one", undefined, {}, "America/New_York"],
  ])("is %s", async (_which, humanTimezone, cf, zone) => {
    const phoneNumber = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
    const token = await signIn(apiTarget, { driverId: crypto.randomUUID(), phoneNumber });
    const fetchThere: typeof apiTarget.fetch = (input, init) => apiTarget.fetch(input, { ...init, cf });
    const client = new DriverClient({ ...apiTarget, fetch: fetchThere, token });
    const answer = await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber, humanTimezone });
    expect((await answer.json<{ Item: User }>()).Item.humanTimezone).toBe(zone);
  });
});

describe("the language of a new driver's record", () => {
  it.each([
    [
      "the page's, which its cookie keeps",
      { cookie: "theme=dark; PARAGLIDE_LOCALE=pt", "accept-language": "es" },
      "pt",
    ],
    ["else the browser's", { "accept-language": "fr-FR, es-MX;q=0.8" }, "es"],
    ["else English", { cookie: "PARAGLIDE_LOCALE=fr" }, "en"],
  ])("is %s", async (_which, headers, language) => {
    const phoneNumber = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
    const token = await signIn(apiTarget, { driverId: crypto.randomUUID(), phoneNumber });
    const client = new DriverClient({ ...apiTarget, token });
    const body = await client.seal("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
    const { Item } = await client.fetchJson<{ Item: User }>("PUT", "/flex/v1/user", { body, headers });
    expect(Item.language).toBe(language);
  });
});

describe("a new driver's record", () => {
  const person = () => ({
    driverId: crypto.randomUUID(),
    phoneNumber: `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`,
  });

  it("is created once, with the product's defaults and without the password", async () => {
    const somebody = person();
    const client = new DriverClient({ ...apiTarget, token: await signIn(apiTarget, somebody) });
    const body = { name: "Ana", password: "Jornada-1-demo", phoneNumber: somebody.phoneNumber };
    const first = await client.sealed("PUT", "/flex/v1/user", body);
    const { Item } = await first.json<{ Item: User }>();
    const again = await client.sealed("PUT", "/flex/v1/user", { ...body, name: "Somebody else" });

    expect(Item).toEqual({
      revision: 1,
      name: "Ana",
      phoneNumber: somebody.phoneNumber,
      preferredPhoneNumber: null,
      preferredPhoneVerified: false,
      language: "en",
      mode: "lucrative",
      specialMode: null,
      userDisabled: 1,
      referral: "jornada",
      humanTimezone: "America/New_York",
      humanRegion: null,
      flexEmail: null,
      proxyInstalled: false,
      setupComplete: false,
      waitingForSpot: false,
      goodStanding: false,
      trialPending: false,
      expirationDateTimestamp: 0,
    } satisfies User);
    expect((await again.json<{ Item: User }>()).Item).toEqual(Item);
  });

  it.each([
    ["a name of one letter", { name: "A" }, 400],
    ["another driver's number", { phoneNumber: "+15550100199" }, 403],
  ])("is rejected with %s", async (_name, change, status) => {
    const somebody = person();
    const client = new DriverClient({ ...apiTarget, token: await signIn(apiTarget, somebody) });
    const answer = await client.sealed("PUT", "/flex/v1/user", {
      name: "Ana",
      phoneNumber: somebody.phoneNumber,
      ...change,
    });
    expect(answer.status).toBe(status);
    expect((await client.call("GET", "/flex/v1/user")).status).toBe(404);
  });

  it("is rejected for a number that another driver has", async () => {
    const holder = await createDriver();
    const client = new DriverClient({
      ...apiTarget,
      token: await signIn(apiTarget, { driverId: crypto.randomUUID(), phoneNumber: holder.phoneNumber }),
    });
    const answer = await client.sealed("PUT", "/flex/v1/user", {
      name: "Ana",
      phoneNumber: holder.phoneNumber,
    });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([409, "conflict"]);
  });
});
