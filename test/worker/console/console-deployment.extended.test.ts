import { env } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ActsResponse } from "../../../worker/contract/console/operators.ts";
import type { CitiesResponse, PricesResponse } from "../../../worker/contract/console/operator-deployment.ts";
import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import type { PlansResponse } from "../../../worker/contract/money/payments.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { actOnAll, OWNER, type OperatorClient, owner, support } from "../console-harness.ts";
import { createLinkedDriver, resetPlatform, type TestDriver } from "../harness.ts";
import {
  createPayer,
  createPreparedPayment,
  fetchPayment,
  fetchQuote,
  fetchTexts,
  FULL,
  payIntent,
  rows,
} from "../payments-harness.ts";

const reason = "a test of the house";
const CITY = "New York City";

beforeAll(() => resetPlatform());
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

describe("a list price", () => {
  const price = (change: object = {}): DeploymentAct => ({
    act: "list_price",
    plan: "30days",
    priceCents: 17_999,
    startsAt: null,
    reason,
    ...change,
  });
  const planOf = async ({ client }: TestDriver) => {
    const { plans } = await client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    const { priceCents, payCents } = plans.find(({ plan }) => plan === "30days")!;
    return { priceCents, payCents };
  };
  const preview = (client: OperatorClient, question: string) =>
    client.call("GET", `/prices/preview?plan=30days&${question}`);

  afterEach(async () => {
    await env.DB.batch([
      env.DB.prepare(`DELETE FROM plans WHERE id LIKE 'operator:%'`),
      env.DB.prepare(`DELETE FROM price_cuts`),
    ]);
  });

  it("is what every driver pays from then on, and leaves open quotes, payments and receipts as they were", async () => {
    const [paid, paying, quoted] = [await createPayer(), await createPayer(), await createPayer()];
    const order = { plan: "30days" as const, totalCents: FULL["30days"] };
    const settled = await createPreparedPayment(paid, order);
    await payIntent(settled.intentId);
    await fetchPayment(paid, settled.paymentId);
    const underWay = await createPreparedPayment(paying, order);
    const { priceId, totalCents } = await fetchQuote(quoted, { plan: "30days", points: 0 });
    expect((await actOnAll(owner, price())).status).toBe(200);
    expect(await planOf(quoted)).toEqual({ priceCents: 17_999, payCents: 17_999 });
    expect((await fetchQuote(quoted, { plan: "30days", points: 0 })).totalCents).toBe(18_125);
    expect(
      (await createPreparedPayment(quoted, { plan: "30days", totalCents, priceId })).quote,
    ).toMatchObject({
      priceCents: 16_999,
    });
    await payIntent(underWay.intentId);
    expect((await fetchPayment(paying, underWay.paymentId)).payment).toMatchObject({
      status: "settled",
      totalCents: FULL["30days"],
    });
    const receipt = await paid.client.fetchJson("GET", `/flex/v1/payments/${settled.paymentId}/receipt`);
    expect(receipt).toMatchObject({ priceCents: 16_999, totalCents: FULL["30days"] });
    expect((await log(owner))[0]).toMatchObject({
      act: "list_price",
      operator: OWNER,
      driverId: null,
      what: { plan: "30days", priceCents: 17_999, startsAt: null },
      before: { priceCents: 16_999 },
      after: { priceCents: 17_999 },
      reason,
    });
  });

  it("waits for its day, is listed until then, and is what the preview said beside a sale", async () => {
    const driver = await createPayer();
    const [soon, later] = [Date.now() + DAY_MS, Date.now() + 2 * DAY_MS];
    const sale = { plan: "30days", priceCents: 15_999, startsAt: Date.now(), endsAt: later };
    await actOnAll(owner, { act: "sale", reason, ...sale } as DeploymentAct);
    const asked = await preview(owner, `priceCents=14999&startsAt=${soon}`);
    expect(await asked.json()).toEqual({
      steps: [
        { at: expect.any(Number), listCents: 16_999, payCents: 15_999 },
        { at: soon, listCents: 14_999, payCents: 14_999 },
      ],
    });
    expect((await preview(owner, "priceCents=19999")).status).toBe(200);
    expect((await prices()).ahead).toEqual([]);
    await actOnAll(owner, price({ priceCents: 14_999, startsAt: soon }));
    expect((await prices()).ahead).toEqual([{ plan: "30days", priceCents: 14_999, startsAt: soon }]);
    expect(await planOf(driver)).toEqual({ priceCents: 16_999, payCents: 15_999 });
    // A sale has to be lower than the price that will hold when it begins.
    const late = { plan: "30days", priceCents: 15_500, startsAt: soon + 1, endsAt: later };
    const refused = await actOnAll(owner, { act: "sale", reason, ...late } as DeploymentAct);
    expect(await refused.json()).toMatchObject({ fields: { priceCents: "too_large" } });
    await env.DB.prepare(`UPDATE plans SET valid_from = ? WHERE id LIKE 'operator:%'`).bind(Date.now()).run();
    expect(await planOf(driver)).toEqual({ priceCents: 14_999, payCents: 14_999 });
  });

  it.each([
    [{ priceCents: 49 }, "priceCents", "too_small"],
    [{ priceCents: 0 }, "priceCents", "too_small"],
    [{ priceCents: 10_000_000 }, "priceCents", "too_large"],
    [{ priceCents: 99.5 }, "priceCents", "required"],
    [{ priceCents: 16_999 }, "priceCents", "invalid"],
    [{ startsAt: 1000 }, "startsAt", "too_small"],
    [{ plan: "1day" }, "plan", "invalid"],
  ])("is refused where it is none, in the preview as well: %o", async (change, field, issue) => {
    const before = (await log(owner)).length;
    const order = { ...price(), ...change };
    const refused = await actOnAll(owner, order as DeploymentAct);
    expect([refused.status, await refused.json()]).toMatchObject([400, { fields: { [field]: issue } }]);
    const { plan, priceCents, startsAt } = order as {
      plan: string;
      priceCents: number;
      startsAt: number | null;
    };
    const question = `plan=${plan}&priceCents=${priceCents}${startsAt === null ? "" : `&startsAt=${startsAt}`}`;
    expect((await owner.call("GET", `/prices/preview?${question}`)).status).toBe(400);
    expect(await log(owner)).toHaveLength(before);
    expect(await rows(`SELECT * FROM plans WHERE id LIKE 'operator:%'`)).toEqual([]);
  });

  it("set by two owners at once stands as the log tells it, and once per key", async () => {
    const key = crypto.randomUUID();
    const again = await Promise.all([1, 2].map(() => actOnAll(owner, price(), key)));
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all([18_999, 19_999].map((priceCents) => actOnAll(owner, price({ priceCents }))));
    const acts = (await log(owner)).filter(({ act }) => act === "list_price").slice(0, 3);
    const inForce = (await prices()).prices.find(({ plan }) => plan === "30days")?.priceCents;
    const chain = [inForce];
    for (const price of chain) {
      const made = acts.find(({ after }) => after["priceCents"] === price);
      const before = made?.before["priceCents"];
      if (typeof before === "number") chain.push(before);
    }
    expect(chain.toSorted()).toEqual([16_999, 17_999, 18_999, 19_999]);
  });

  it("is not for support to set or to ask about", async () => {
    expect((await actOnAll(support, price())).status).toBe(403);
    expect((await preview(support, "priceCents=14999")).status).toBe(403);
  });
});

describe("a city", () => {
  const limit = (spots: number | null): DeploymentAct => ({
    act: "city_spots",
    city: CITY,
    spots,
    isNewCity: true,
    reason,
  });

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
