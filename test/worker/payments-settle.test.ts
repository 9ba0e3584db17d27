import { createScheduledController, env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "../../worker/index.ts";
import { quietPlatform } from "./harness.ts";
import {
  booksOf,
  DAY_MS,
  deliver,
  eventsOf,
  look,
  paidEvent,
  pay,
  payer,
  prepared,
  revisionOf,
  rows,
  SEVEN_DAYS_PAID,
  stripe,
  textsTo,
} from "./payments-stage.ts";

beforeAll(() => quietPlatform());

async function paid(change: { points?: number } = {}) {
  const driver = await payer(change);
  const { paymentId, intentId } = await prepared(driver, { plan: "7days" });
  await pay(intentId);
  return { driver, paymentId, intentId };
}

/** The clock of the hourly look, some minutes after the payment was prepared. */
async function reconcile(): Promise<void> {
  await env.DB.prepare(`UPDATE payments SET created_at = created_at - 660000 WHERE status = 'open'`).run();
  await worker.scheduled(createScheduledController({ cron: "7 * * * *" }), env);
}

describe("a payment", () => {
  it("is settled once by an event that comes a hundred times at once", async () => {
    const { driver, intentId } = await paid();
    const before = await revisionOf(driver);
    const event = await paidEvent(intentId);
    const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await booksOf(driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await revisionOf(driver)).toBe(Number(before) + 1);
    expect(await rows(`SELECT id FROM stripe_events WHERE id = ?`, event.id)).toHaveLength(1);
    expect(await textsTo(driver)).toHaveLength(1);
  });

  const ways = {
    webhook: async ({ intentId }: { intentId: string }) => void (await deliver(await paidEvent(intentId))),
    return: async ({ driver, paymentId }: Awaited<ReturnType<typeof paid>>) => void (await look(driver, paymentId)),
    reconciliation: () => reconcile(),
  };
  const names = ["webhook", "return", "reconciliation"] as const;
  const orders = names.flatMap((first) =>
    names.flatMap((second) => names.map((third) => [first, second, third] as const)),
  );

  it.each(orders)("is settled once by %s, then %s, then %s", async (...order) => {
    const payment = await paid();
    for (const name of order) await ways[name](payment);
    expect(await booksOf(payment.driver)).toEqual(SEVEN_DAYS_PAID);
    expect(await textsTo(payment.driver)).toHaveLength(1);
  });

  it("is settled once by webhook, return and reconciliation at the same time", async () => {
    const payment = await paid();
    await Promise.all(names.map((name) => ways[name](payment)));
    expect(await booksOf(payment.driver)).toEqual(SEVEN_DAYS_PAID);
  });

  it("tells the driver by the next minute where a crash came between the books and the object", async () => {
    const { driver, intentId } = await paid();
    // A region that does not exist stands for an object that can't be told.
    const event = await paidEvent(intentId);
    await deliver(event, { PLATFORM_REGION: "enam" });
    await env.DB.prepare(`INSERT INTO service_news (source, driver_id, kind, at) VALUES (?, ?, 'paid', 1)`)
      .bind(`payment:lost:${driver.driverId}`, driver.driverId)
      .run();
    await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);
    expect(await rows(`SELECT source FROM service_news WHERE driver_id = ?`, driver.driverId)).toEqual([]);
    expect(await textsTo(driver)).toHaveLength(2);
  });
});
