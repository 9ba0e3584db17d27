import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { operatorClient, OWNER, type OperatorClient } from "../console-harness.ts";
import { deployment, resetPlatform } from "../harness.ts";
import {
  codeOf,
  createPayer,
  createPreparedPayment,
  fetchPayment,
  fetchQuote,
  payIntent,
  postPrepare,
  rows,
} from "../payments-harness.ts";

const reason = "the driver called";
const SECOND = "second@example.com";

beforeAll(() => resetPlatform());
beforeEach(() => resetPlatform());

/** Operators whom no test before has used, so that each begins the day anew. */
function openOffice(settings: Record<string, string> = {}) {
  const support = `${crypto.randomUUID()}@example.com`;
  const at = deployment({ OPS_OWNERS: `${OWNER},${SECOND}`, OPS_SUPPORT: support, ...settings });
  return {
    support: operatorClient(support, at),
    owner: operatorClient(OWNER, at),
    second: operatorClient(SECOND, at),
  };
}

const decide = (client: OperatorClient, id: string, approve: boolean) =>
  client.call("POST", `/requests/${id}`, {
    body: { approve, reason: "I looked at it" },
    key: crypto.randomUUID(),
  });

describe("an operator of support who is no friend", () => {
  it("gives no more in a day than one may, though to many drivers and at once", async () => {
    const { support, owner } = openOffice({ OPS_SUPPORT_SUM: "100" });
    const drivers = await Promise.all([1, 2, 3, 4].map(() => createPayer()));
    const answers = await Promise.all(
      drivers.map((driver) => support.do(driver, { act: "days", days: 4, reason })),
    );
    // A day is worth 11.66, the price of a day of the shortest plan.
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["done", "done", "waiting", "waiting"]);
    const days = await Promise.all(
      drivers.map(async (driver) => Math.round((await owner.page(driver)).service.unusedMs / DAY_MS)),
    );
    expect(days.toSorted()).toEqual([0, 0, 4, 4]);
  });

  it("looks at no more numbers in a day than one may, also at once", async () => {
    const { support } = openOffice({ OPS_SUPPORT_LOOKS: "2" });
    const drivers = await Promise.all([1, 2, 3, 4].map(() => createPayer()));
    const answers = await Promise.all(
      drivers.map((driver) => support.act(driver, { act: "show_phone", reason })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403, 403]);
    const shown = (await Promise.all(answers.map((answer) => answer.text()))).join();
    expect(drivers.filter(({ phoneNumber }) => shown.includes(phoneNumber))).toHaveLength(2);
  });
});

describe("a price of the driver's own", () => {
  const price = (change: Partial<Extract<DriverAct, { act: "special_price" }>> = {}): DriverAct => ({
    act: "special_price",
    plan: "3days",
    priceCents: 50,
    endsAt: Date.now() + DAY_MS,
    reason,
    ...change,
  });

  it("holds for 90 days at most where support gives it, and waits for an owner where it can give away more", async () => {
    const { support, owner } = openOffice();
    const driver = await createPayer();
    const tooLong = await support.act(driver, price({ endsAt: Date.now() + 91 * DAY_MS }));
    expect([tooLong.status, await tooLong.json()]).toMatchObject([400, { fields: { endsAt: "too_large" } }]);
    const id = crypto.randomUUID();
    const endsAt = Date.now() + 30 * DAY_MS;
    expect((await support.do(driver, price({ endsAt }), id)).status).toBe("waiting");
    expect((await owner.page(driver)).prices).toEqual([]);
    expect((await decide(owner, id, true)).status).toBe(200);
    expect((await owner.page(driver)).prices).toMatchObject([{ priceCents: 50, endsAt }]);
  });

  it("can be used as often as it was counted, and no oftener", async () => {
    const { support } = openOffice();
    const driver = await createPayer();
    expect((await support.do(driver, price())).status).toBe("done");
    const order = { plan: "3days", points: 0 } as const;
    const { totalCents, discount } = await fetchQuote(driver, order);
    expect([totalCents, discount?.kind]).toEqual([50, "special_price"]);
    const { intentId, paymentId } = await createPreparedPayment(driver, { ...order, totalCents });
    await payIntent(intentId);
    expect((await fetchPayment(driver, paymentId)).payment.status).toBe("settled");
    const again = await postPrepare(driver, { ...order, totalCents });
    expect([again.status, await codeOf(again)]).toEqual([409, "price_changed"]);
    expect((await fetchQuote(driver, order)).discount).toBeNull();
  });
});

describe("a request that two owners decide at once", () => {
  it.each([
    ["a yes and a no", [true, false], 1],
    // The act is done once, and both are told so.
    ["two yeses", [true, true], 2],
    ["two noes", [false, false], 1],
  ])("comes to one end: %s", async (_what, decisions, mostDone) => {
    const { support, owner, second } = openOffice();
    const driver = await createPayer();
    const id = crypto.randomUUID();
    await support.do(driver, { act: "days", days: 60, reason }, id);
    const answers = await Promise.all(
      [owner, second].map((one, index) => decide(one, id, decisions[index] ?? false)),
    );
    const [approval] = await rows(`SELECT * FROM operator_approvals WHERE id = ?`, id);
    const isApproved = approval?.["is_approved"] === 1;
    expect(decisions).toContain(isApproved);
    expect(Math.round((await owner.page(driver)).service.unusedMs / DAY_MS)).toBe(isApproved ? 60 : 0);
    const acts = (await owner.log(driver)).map(({ act }) => act).toSorted();
    expect(acts).toEqual(isApproved ? ["ask", "days"] : ["ask", "decline"]);
    const done = answers.filter(({ status }) => status === 200).length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThanOrEqual(mostDone);
  });

  it("gives money back once", async () => {
    const { support, owner, second } = openOffice({ OPS_SUPPORT_LIMIT: "10" });
    const driver = await createPayer();
    const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    await fetchPayment(driver, paymentId);
    const id = crypto.randomUUID();
    const refund: DriverAct = { act: "refund", paymentId, cents: 2000, keepsDays: false, reason };
    expect((await support.do(driver, refund, id)).status).toBe("waiting");
    await Promise.all([decide(owner, id, true), decide(second, id, true)]);
    expect((await fetchPayment(driver, paymentId)).payment.refundedCents).toBe(2000);
    expect((await owner.log(driver)).filter(({ act }) => act === "refund")).toHaveLength(1);
  });
});
