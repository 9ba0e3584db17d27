import { env, SELF } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import type { Payment, PaymentsResponse } from "../../worker/contract/payments.ts";
import { apiTarget, resetPlatform } from "./harness.ts";
import {
  createPayer,
  createPreparedPayment,
  fetchPayment,
  payIntent,
  ledgerOf,
  codeOf,
} from "./payments-harness.ts";

beforeAll(() => resetPlatform());

describe("the payment history", () => {
  it("lists paid payments newest first, twenty per page", async () => {
    const driver = await createPayer();
    const at = Date.now();
    await env.DB.batch(
      Array.from({ length: 45 }, (_, index) =>
        env.DB.prepare(
          `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
           VALUES (?, ?, '7days', ?, 'USD', 4987, 0, 0, 0, 35, 5022, 0, ?, ?, 1)`,
        ).bind(
          `pay-${String(index).padStart(2, "0")}-${driver.driverId.slice(0, 8)}`,
          driver.driverId,
          index % 9 === 8 ? "abandoned" : "settled",
          at + Math.floor(index / 3),
          at + Math.floor(index / 3),
        ),
      ),
    );
    const seen: Payment[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `?cursor=${cursor}`;
      const page: PaymentsResponse = await driver.client.fetchJson("GET", `/flex/v1/payments${query}`);
      expect(page.items.length).toBeLessThanOrEqual(20);
      seen.push(...page.items);
      cursor = page.cursor;
    }
    expect(seen.map(({ id }) => id.slice(4, 6))).toEqual(
      Array.from({ length: 45 }, (_, index) => 44 - index)
        .filter((index) => index % 9 !== 8)
        .map((index) => String(index).padStart(2, "0")),
    );
  });

  it("is visible to its driver only", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    const answer = await other.client.call("GET", `/flex/v1/payments/${paymentId}`);
    expect([answer.status, await codeOf(answer)]).toEqual([404, "not_found"]);
    expect((await ledgerOf(driver)).payments).toEqual(["open"]);
    await fetchPayment(driver, paymentId);
    expect((await other.client.fetchJson<PaymentsResponse>("GET", "/flex/v1/payments")).items).toEqual([]);
    expect((await driver.client.fetchJson<PaymentsResponse>("GET", "/flex/v1/payments")).items).toHaveLength(
      1,
    );
  });

  it.each(["x", "-1", "1.é", "1.a.b"])("rejects a cursor like %s", async (cursor) => {
    const driver = await createPayer();
    const answer = await driver.client.call("GET", `/flex/v1/payments?cursor=${encodeURIComponent(cursor)}`);
    expect(answer.status).toBe(400);
  });
});

describe("the token check", () => {
  it.each([
    ["GET", "/flex/v1/plans"],
    ["POST", "/flex/v1/payments/quote"],
    ["POST", "/flex/v1/payments/prepare"],
    ["GET", "/flex/v1/payments"],
    ["GET", "/flex/v1/payments/some"],
  ])("rejects %s %s without a token", async (method, path) => {
    const answer = await SELF.fetch(`${apiTarget.origin}${path}`, { method });
    expect([answer.status, await codeOf(answer)]).toEqual([401, "unauthenticated"]);
  });
});
