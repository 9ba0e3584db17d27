import { env } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type {
  ActsResponse,
  CitiesResponse,
  DeploymentAct,
  PricesResponse,
} from "../../worker/contract/operators.ts";
import { parseResponse } from "../support/driver-client.ts";
import { actOnAll, operatorClient, OWNER, SUPPORT, type OperatorClient } from "./console-harness.ts";
import { createLinkedDriver, resetPlatform, type TestDriver } from "./harness.ts";
import { createPayer, DAY_MS, fetchTexts, rows } from "./payments-harness.ts";

const reason = "a test of the house";
const CITY = "New York City";

let owner: OperatorClient;
let support: OperatorClient;

beforeAll(async () => {
  await resetPlatform();
  owner = await operatorClient(OWNER);
  support = await operatorClient(SUPPORT);
});
beforeEach(async () => {
  await resetPlatform();
  await env.DB.batch([env.DB.prepare(`DELETE FROM city_spots`), env.DB.prepare(`DELETE FROM spots`)]);
});

const log = async (client: OperatorClient) =>
  (await parseResponse<ActsResponse>(await client.call("GET", "/acts"), "log")).acts;
const prices = async () => parseResponse<PricesResponse>(await support.call("GET", "/prices"), "prices");
const cities = async () =>
  (await parseResponse<CitiesResponse>(await support.call("GET", "/cities"), "cities")).cities;

describe("a sale", () => {
  const sale = (change: object = {}): DeploymentAct => ({
    act: "sale",
    plan: "14days",
    priceCents: 6999,
    startsAt: Date.now() - 1000,
    endsAt: Date.now() + DAY_MS,
    reason,
    ...change,
  });
  const priceOf = async ({ client }: TestDriver) => {
    const { plans } = await client.fetchJson<{ plans: { plan: string; payCents: number }[] }>(
      "GET",
      "/flex/v1/plans",
    );
    return plans.find(({ plan }) => plan === "14days")?.payCents;
  };

  it("is what every driver pays while it holds, until it is ended, and the log says who made it", async () => {
    const driver = await createPayer();
    const made = await actOnAll(owner, sale());
    expect(made.status).toBe(200);
    expect(await priceOf(driver)).toBe(6999);
    const [listed] = (await prices()).sales;
    expect(listed).toMatchObject({ plan: "14days", priceCents: 6999 });
    await actOnAll(owner, { act: "end_sale", saleId: listed?.id ?? "", reason });
    expect(await priceOf(driver)).toBe(8999);
    expect((await prices()).sales).toEqual([]);
    const [ended, begun] = await log(owner);
    expect([begun, ended]).toMatchObject([
      {
        act: "sale",
        operator: OWNER,
        driverId: null,
        before: { priceCents: 8999 },
        after: { priceCents: 6999 },
        reason,
      },
      { act: "end_sale", operator: OWNER },
    ]);
  });

  it("is made once per key, and waits for its day", async () => {
    const driver = await createPayer();
    const key = crypto.randomUUID();
    const later = sale({ startsAt: Date.now() + DAY_MS, endsAt: Date.now() + 2 * DAY_MS });
    const answers = await Promise.all([1, 2].map(() => actOnAll(owner, later, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await prices()).sales).toHaveLength(1);
    expect(await priceOf(driver)).toBe(8999);
    expect((await actOnAll(owner, sale({ priceCents: 5999 }), key)).status).toBe(409);
  });

  it.each([
    [{ priceCents: 8999 }, "priceCents", "too_large"],
    [{ priceCents: 10 }, "priceCents", "too_small"],
    [{ endsAt: 1000 }, "endsAt", "too_small"],
    [{ startsAt: Date.now() + 3 * DAY_MS }, "endsAt", "too_small"],
  ])("is refused where it is none: %o", async (change, field, issue) => {
    const before = (await log(owner)).length;
    const refused = await actOnAll(owner, sale(change));
    expect([refused.status, await refused.json()]).toMatchObject([400, { fields: { [field]: issue } }]);
    expect(await log(owner)).toHaveLength(before);
  });

  it("is not for support to make or to end", async () => {
    expect((await actOnAll(support, sale())).status).toBe(403);
    expect((await actOnAll(support, { act: "end_sale", saleId: "operator:x", reason })).status).toBe(403);
    expect((await actOnAll(owner, { act: "end_sale", saleId: "operator:x", reason })).status).toBe(404);
  });
});

describe("a city", () => {
  const limit = (spots: number | null): DeploymentAct => ({ act: "city_spots", city: CITY, spots, reason });

  it("gets more spots, and who is next in line is texted at once", async () => {
    await actOnAll(owner, limit(1));
    await createLinkedDriver({ serviceMs: 0 });
    const second = await createLinkedDriver({ serviceMs: 0 });
    const third = await createLinkedDriver({ serviceMs: 0 });
    expect(await cities()).toMatchObject([
      { city: CITY, spots: 1, taken: 1, waiting: 2, next: { id: second.driverId } },
    ]);
    await actOnAll(owner, limit(2));
    expect(await cities()).toMatchObject([
      { city: CITY, spots: 2, taken: 2, waiting: 1, next: { id: third.driverId } },
    ]);
    await expect.poll(async () => (await fetchTexts(second)).join()).toContain(CITY);
    expect(await fetchTexts(third)).toEqual([]);
    const [act] = await log(owner);
    expect(act).toMatchObject({
      act: "city_spots",
      what: { city: CITY, spots: 2 },
      before: { spots: 1 },
      after: { spots: 2 },
    });
  });

  it("has its limit taken away, and is not for support to change", async () => {
    await actOnAll(owner, limit(3));
    expect((await actOnAll(support, limit(9))).status).toBe(403);
    await actOnAll(owner, limit(null));
    expect(await rows(`SELECT * FROM city_spots`)).toEqual([]);
    const [act] = await log(owner);
    expect([act?.before, act?.after]).toEqual([{ spots: 3 }, { spots: null }]);
  });

  it("has one number after two operators changed it at once, and the log says which came last", async () => {
    await actOnAll(owner, limit(1));
    await Promise.all([actOnAll(owner, limit(5)), actOnAll(owner, limit(7))]);
    const [row] = await rows(`SELECT spots FROM city_spots WHERE city = ?`, CITY);
    const changes = (await log(owner)).slice(0, 2);
    expect(changes.map(({ before }) => before["spots"])).toContain(1);
    const last = changes.find(({ after }) => after["spots"] === row?.["spots"]);
    expect(changes.find(({ id }) => id !== last?.id)?.after).toEqual(last?.before);
  });
});
