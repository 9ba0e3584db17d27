import { SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { FiltersResponse } from "../../worker/contract/filters.ts";
import type { ErrorResponse } from "../../worker/contract/error-response.ts";
import type { User } from "../../worker/contract/user.ts";
import { app } from "../../worker/app.ts";
import { minutesToDurations } from "../../db/shapes/durations.ts";
import { weekSchedule } from "../../db/shapes/filters.ts";
import { warehouseId } from "../../db/shapes/units.ts";
import { DriverClient } from "../support/driver-client.ts";
import { permissiveFilters, permissiveWarehouseFilter, signIn } from "../support/sandbox-client.ts";
import {
  createLinkedDriver,
  driverObject,
  apiTarget,
  resetPlatform,
  createDriver,
  setSystemSwitch,
  runAlarm,
  createActiveDriver,
  publishOffer,
} from "./harness.ts";

beforeEach(() => resetPlatform());

const PROTECTED = [
  ["GET", "/flex/v1/user"],
  ["GET", "/flex/v1/user/earnings"],
  ["PUT", "/flex/v1/user"],
  ["PUT", "/flex/v1/user/+15550109999"],
  ["PATCH", "/flex/v1/user"],
  ["DELETE", "/flex/v1/user"],
  ["GET", "/flex/v1/user/export"],
  ["GET", "/flex/v1/user/notifications"],
  ["PUT", "/flex/v1/user/notifications"],
  ["GET", "/flex/v1/user/chat"],
  ["GET", "/flex/v1/user/recording"],
  ["PUT", "/flex/v1/user/recording"],
  ["GET", "/flex/v1/user/texts"],
  ["POST", "/flex/v1/user/texts/test"],
  ["PUT", "/flex/v1/user/push"],
  ["DELETE", "/flex/v1/user/push"],
  ["POST", "/flex/v1/user/preferred-phone/code"],
  ["POST", "/flex/v1/user/preferred-phone/verify"],
  ["GET", "/flex/v1/filters"],
  ["PUT", "/flex/v1/filters"],
  ["GET", "/flex/v1/warehouses"],
  ["GET", "/flex/v1/blocks"],
  ["GET", "/flex/v1/blocks/passed-over"],
  ["GET", "/flex/v1/blocks/next"],
  ["POST", "/flex/v1/blocks/some-id/check-in"],
  ["POST", "/flex/v1/blocks/some-id/take-again"],
  ["GET", "/flex/v1/user/im-here/data"],
  ["GET", "/flex/v1/setup"],
  ["POST", "/flex/v1/setup/login"],
  ["POST", "/flex/v1/setup/otp"],
  ["POST", "/flex/v1/setup/otp/resend"],
  ["DELETE", "/flex/v1/setup"],
  ["POST", "/flex/v1/live/ticket"],
  ["POST", "/flex/v1/errors"],
  ["GET", "/flex/v1/plans"],
  ["GET", "/flex/v1/payments"],
  ["GET", "/flex/v1/payments/some-id"],
  ["GET", "/flex/v1/payments/some-id/receipt"],
  ["POST", "/flex/v1/payments/some-id/cancel"],
  ["GET", "/flex/v1/payments/cards"],
  ["DELETE", "/flex/v1/payments/cards/some-id"],
  ["POST", "/flex/v1/payments/session"],
  ["GET", "/flex/v1/payments/renewal"],
  ["PUT", "/flex/v1/payments/renewal"],
  ["POST", "/flex/v1/payments/quote"],
  ["POST", "/flex/v1/payments/prepare"],
  ["DELETE", "/flex/v1/sessions"],
  ["DELETE", "/flex/v1/sessions/some-id"],
  ["GET", "/flex/v1/feedback"],
  ["GET", "/flex/v1/invitations"],
  ["GET", "/flex/v1/raffles"],
  ["GET", "/flex/v1/rewards"],
  ["GET", "/flex/v1/security"],
  ["GET", "/flex/v1/sessions"],
  ["GET", "/flex/v1/spot"],
  ["GET", "/flex/v1/undo"],
  ["POST", "/flex/v1/feedback"],
  ["POST", "/flex/v1/invitations"],
  ["POST", "/flex/v1/rewards/redeem"],
  ["POST", "/flex/v1/spot/join"],
  ["POST", "/flex/v1/spot/take"],
  ["POST", "/flex/v1/undo"],
] as const;

async function problemOf(answer: Response): Promise<ErrorResponse> {
  return answer.json<ErrorResponse>();
}

describe("the token check", () => {
  it("is tested on every route", () => {
    const declared = app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/flex/v1/"))
      .map(
        ({ method, path }) =>
          `${method} ${path.replace(/:phone.*$/, "+15550109999").replace(":id", "some-id")}`,
      );
    // The live connection uses a ticket instead of a token.
    const ticketed = ["GET /flex/v1/live"];
    expect([...new Set(declared)].toSorted()).toEqual(
      [...PROTECTED.map(([method, path]) => `${method} ${path}`), ...ticketed].toSorted(),
    );
  });

  const somebody = { driverId: "somebody", phoneNumber: "+15550109999" };
  const forgeries = [
    ["no token", () => Promise.resolve("")],
    ["an expired token", () => signIn(apiTarget, somebody, { expiresIn: -120 })],
    ["an access token", () => signIn(apiTarget, somebody, { tokenUse: "access" })],
    ["another client's token", () => signIn(apiTarget, somebody, { clientId: "other" })],
    ["another issuer's token", () => signIn(apiTarget, somebody, { issuer: "https://example.com/pool" })],
    [
      "a token with a modified payload",
      async () => {
        const [head, payload, signature] = (await signIn(apiTarget, somebody)).split(".");
        const claims = JSON.parse(atob((payload ?? "").replaceAll("-", "+").replaceAll("_", "/")));
        const forged = btoa(JSON.stringify({ ...claims, sub: "victim" })).replaceAll("=", "");
        return `${head}.${forged}.${signature}`;
      },
    ],
    [
      "an unsigned token",
      async () => {
        const [, payload] = (await signIn(apiTarget, somebody)).split(".");
        return `${btoa('{"alg":"none"}').replaceAll("=", "")}.${payload}.`;
      },
    ],
  ] as const;

  it.each(forgeries)("rejects %s on every route", async (_name, token) => {
    const authorization = `Bearer ${await token()}`;
    for (const [method, path] of PROTECTED) {
      const answer = await SELF.fetch(`${apiTarget.origin}${path}`, { method, headers: { authorization } });
      expect({ path, status: answer.status, code: (await problemOf(answer)).code }).toEqual({
        path,
        status: 401,
        code: "unauthenticated",
      });
    }
  });

  it("gives access to the caller's own data only", async () => {
    const first = await createActiveDriver();
    await publishOffer(first.warehouseIds[0]!);
    await runAlarm(first);
    const second = await createDriver();

    expect((await second.client.filters()).filters.warehouses).toEqual([]);
    expect(await second.client.fetchJson("GET", "/flex/v1/blocks?type=won")).toEqual({
      items: [],
      cursor: null,
    });
    const { Item } = await second.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect(Item.phoneNumber).toBe(second.phoneNumber);
  });
});

describe("error responses", () => {
  it("have one shape in three languages, even for an unknown route", async () => {
    const { client } = await createDriver();
    const answer = await client.call("GET", "/flex/v1/nothing");
    const problem = await problemOf(answer);
    expect(answer.status).toBe(404);
    expect(problem).toEqual({
      code: "not_found",
      message: { en: expect.any(String), es: expect.any(String), pt: expect.any(String) },
      requestId: expect.any(String),
    });
  });

  it("are 404 for a user without a record", async () => {
    const person = { driverId: crypto.randomUUID(), phoneNumber: "+15550107777" };
    const client = new DriverClient({ ...apiTarget, token: await signIn(apiTarget, person) });
    expect((await client.call("GET", "/flex/v1/user")).status).toBe(404);
  });

  it("are 413 for a body that is too large", async () => {
    const { client } = await createDriver();
    const answer = await client.call("PUT", "/flex/v1/filters", { body: { long: "x".repeat(300_000) } });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([413, "too_large"]);
  });

  it("are 404 for a chunk of an earlier build, while app paths return the page", async () => {
    expect((await SELF.fetch(`${apiTarget.origin}/assets/old-chunk.js`)).status).toBe(404);
    const page = await SELF.fetch(`${apiTarget.origin}/flex/dashboard`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
  });
});

describe("filters", () => {
  it("are stored with a version, so that a second tab can't overwrite them", async () => {
    const driver = await createLinkedDriver();
    const mine = permissiveFilters(
      driver.warehouseIds.toSorted().map((id) => permissiveWarehouseFilter(id, { bufferMinutes: 45 })),
      {
        minHourlyCents: 2200,
      },
    );
    const saved = await driver.client.saveFilters(mine);
    const stale = await driver.client.call("PUT", "/flex/v1/filters", {
      body: permissiveFilters([permissiveWarehouseFilter(driver.warehouseIds[0]!)]),
      headers: { "if-match": `"0"` },
    });
    const read = await driver.client.filters();

    expect(saved).toEqual({ filters: mine, version: 1, complete: true } satisfies FiltersResponse);
    expect([stale.status, (await problemOf(stale)).code]).toEqual([412, "stale_version"]);
    expect(read).toEqual(saved);
  });

  it("saved concurrently by two tabs are those of one tab, unmixed", async () => {
    const driver = await createLinkedDriver();
    const tabs = [1000, 2000, 3000, 4000].map((minPriceCents) =>
      permissiveFilters(driver.warehouseIds.map((id) => permissiveWarehouseFilter(id, { minPriceCents }))),
    );
    const answers = await Promise.all(
      tabs.map((body) =>
        driver.client.call("PUT", "/flex/v1/filters", { body, headers: { "if-match": `"0"` } }),
      ),
    );
    const { filters } = await driver.client.filters();

    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 412, 412, 412]);
    expect(new Set(filters.warehouses.map((rule) => rule.minPriceCents)).size).toBe(1);
    expect(filters.warehouses).toHaveLength(driver.warehouseIds.length);
  });

  const good = permissiveWarehouseFilter("w1" as never);
  it.each([
    [
      "a price of nothing",
      permissiveFilters([{ ...good, minPriceCents: 0 }]),
      "warehouses.0.minPriceCents",
      "too_small",
    ],
    [
      "a price too high",
      permissiveFilters([{ ...good, minPriceCents: 1_000_000 }]),
      "warehouses.0.minPriceCents",
      "too_large",
    ],
    [
      "a buffer over a day",
      permissiveFilters([{ ...good, bufferMinutes: 1441 }]),
      "warehouses.0.bufferMinutes",
      "too_large",
    ],
    [
      "a negative hourly minimum",
      permissiveFilters([{ ...good, minHourlyCents: -1 }]),
      "warehouses.0.minHourlyCents",
      "too_small",
    ],
    [
      "no warehouse selected",
      permissiveFilters([{ ...good, selected: false }]),
      "warehouses",
      "none_selected",
    ],
    ["one warehouse twice", permissiveFilters([good, good]), "warehouses", "invalid"],
    ["a week without days", { ...permissiveFilters([good]), schedule: [] }, "schedule", "too_small"],
  ])("are rejected with %s, naming the field", async (_name, body, field, fault) => {
    const { client } = await createDriver();
    const answer = await client.call("PUT", "/flex/v1/filters", { body, headers: { "if-match": `"0"` } });
    const { code, fields } = await problemOf(answer);
    expect([answer.status, code, fields?.[field]]).toEqual([400, "invalid_request", fault]);
    expect((await client.filters()).version).toBe(0);
  });
});

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

  it("accepts the five kinds of a change and no other", async () => {
    const driver = await createDriver();
    const good = [
      { mode: "secure" },
      { mode: "masacre", specialMode: "wf" },
      { language: "pt", updateLanguage: true },
      { updateProfile: true, name: "Ana Maria", preferredPhoneNumber: null },
      { updatePlace: true, humanTimezone: "America/Chicago", humanRegion: null },
    ];
    const bad = [
      { mode: "fast" },
      { mode: "secure", admin: true },
      { language: "fr", updateLanguage: true },
      { updateProfile: true, name: "A", preferredPhoneNumber: null },
      { updateProfile: true, name: "Ana", preferredPhoneNumber: "5550100" },
      { updatePlace: true, humanTimezone: "Mars/Olympus", humanRegion: null },
      { updatePlace: true, humanTimezone: "America/Chicago", humanRegion: null, name: "Ana" },
      {},
    ];
    const answers = await Promise.all(
      [...good, ...bad].map((body) => driver.client.sealed("PATCH", "/flex/v1/user", body)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([...good.map(() => 200), ...bad.map(() => 400)]);
  });

  it("changes the place, and neither the name nor the number that another device gave meanwhile", async () => {
    const driver = await createDriver();
    await driver.client.patchUser({ updateProfile: true, name: "Ana Maria", preferredPhoneNumber: null });
    const change = { updatePlace: true, humanTimezone: "America/Chicago", humanRegion: " Chicago " } as const;
    const { Item } = await (await driver.client.patchUser(change)).json<{ Item: User }>();
    expect(Item).toMatchObject({
      name: "Ana Maria",
      preferredPhoneNumber: null,
      humanTimezone: "America/Chicago",
      humanRegion: "Chicago",
    });
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
      expirationDateTimestamp: 0,
    } satisfies User);
    expect((await again.json<{ Item: User }>()).Item).toEqual(Item);
  });

  it.each([
    ["a name of one letter", { name: "A" }, 400],
    ["an unknown time zone", { humanTimezone: "Mars/Base" }, 400],
    ["another driver's number", { phoneNumber: "+15550100199" }, 403],
    ["an unknown field", { admin: true }, 400],
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

describe("the switch", () => {
  it("stays off without complete filters or without service", async () => {
    const bare = await createLinkedDriver();
    const incomplete = await bare.client.patchUser({ phoneNumber: bare.phoneNumber, userDisabled: 0 });
    const unpaid = await createLinkedDriver({ serviceMs: 0 });
    await unpaid.client.saveFilters(permissiveFilters([permissiveWarehouseFilter(unpaid.warehouseIds[0]!)]));
    const refused = await unpaid.client.patchUser({ phoneNumber: unpaid.phoneNumber, userDisabled: 0 });

    expect([incomplete.status, (await problemOf(incomplete)).code]).toEqual([409, "filters_incomplete"]);
    expect([refused.status, (await problemOf(refused)).code]).toEqual([402, "no_service"]);
  });

  it.each([
    ["no day", { schedule: 0 }, { schedule: "none_selected" }],
    ["no length", { durations: minutesToDurations([]) }, { "warehouses.0.durations": "none_selected" }],
    [
      "a warehouse that the account hasn't",
      { warehouseId: warehouseId.parse("nowhere") },
      { "warehouses.0.warehouseId": "invalid" },
    ],
  ])("stays off with filters that have %s, which are kept and say so", async (_what, change, fields) => {
    const driver = await createLinkedDriver();
    const { schedule } = (await driver.client.filters()).filters;
    const isEmptyWeek = "schedule" in change;
    const filters = permissiveFilters(
      [{ ...permissiveWarehouseFilter(driver.warehouseIds[0]!), ...(isEmptyWeek ? {} : change) }],
      isEmptyWeek ? { schedule: weekSchedule.parse(schedule.map((day) => ({ ...day, active: false }))) } : {},
    );
    const saved = await driver.client.saveFilters(filters);
    const loaded = await driver.client.filters();
    const refused = await driver.client.patchUser({ phoneNumber: driver.phoneNumber, userDisabled: 0 });

    expect(saved).toMatchObject({ filters, complete: false, fields });
    const { Item: user } = await (await driver.client.call("GET", "/flex/v1/user")).json<{ Item: User }>();
    expect(user.setupComplete).toBe(false);
    expect(loaded).toEqual(saved);
    expect([refused.status, await problemOf(refused)]).toEqual([
      409,
      expect.objectContaining({ code: "filters_incomplete", fields }),
    ]);
  });

  it("can't be used for another driver's number", async () => {
    const [mine, other] = [await createActiveDriver(), await createActiveDriver()];
    const answer = await mine.client.patchUser({ phoneNumber: other.phoneNumber, userDisabled: 1 });
    expect(answer.status).toBe(403);
    expect((await driverObject(other).snapshot()).switchedOn).toBe(true);
  });

  it("switches the object off and on", async () => {
    const driver = await createActiveDriver();
    await setSystemSwitch(driver, false);
    const off = await driverObject(driver).snapshot();
    await setSystemSwitch(driver, true);
    const on = await driverObject(driver).snapshot();
    expect([off.phase.kind, on.phase.kind]).toEqual(["off", "polling"]);
  });
});

describe("linking", () => {
  it("distinguishes a wrong password from a wrong code, with the tries left", async () => {
    const driver = await createDriver();
    const wrong = await driver.client.sealed("POST", "/flex/v1/setup/login", {
      email: driver.email,
      password: "wrong",
    });
    await driver.client.sealed("POST", "/flex/v1/setup/login", { email: driver.email, password: "right" });
    const code = await driver.client.sealed("POST", "/flex/v1/setup/otp", { code: "00000000" });
    expect([wrong.status, (await problemOf(wrong)).code]).toEqual([422, "link_credentials_wrong"]);
    const problem = await problemOf(code);
    expect([code.status, problem.code, problem.attemptsLeft]).toEqual([422, "link_code_wrong", 4]);
  });

  it("copies the driver's details from the platform, and clears them on unlinking", async () => {
    const driver = await createLinkedDriver();
    const { Item } = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect([Item.proxyInstalled, Item.flexEmail, Item.humanRegion]).toEqual([
      true,
      driver.email,
      "New York City",
    ]);
    const gone = await driver.client.call("DELETE", "/flex/v1/setup");
    const after = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect([gone.status, after.Item.proxyInstalled]).toEqual([204, false]);
    expect((await driver.client.setup()).step).toBe("credentials");
  });
});
