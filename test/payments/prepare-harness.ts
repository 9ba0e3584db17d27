import { prepareIntent, type PrepareRequest } from "../../worker/payments/prepare.ts";
import { priceForDriver } from "../../worker/payments/prices/quote.ts";
import type { Checkout } from "./checkout-harness.ts";

type Wish = Partial<Pick<PrepareRequest, "knownPaymentId" | "renewal" | "savesCard">> & {
  plan?: "3days" | "7days";
  points?: number;
};

/** A driver's choice, priced. */
export async function requestOf(at: Checkout, wish: Wish = {}): Promise<PrepareRequest> {
  const { plan = "7days", points = 0, knownPaymentId = null, renewal = null, savesCard = false } = wish;
  const driver = await at.driver();
  const { order } = await priceForDriver(at.checkout, driver, { plan, points, priceId: null });
  return { driver, order, knownPaymentId, renewal, savesCard };
}

export async function prepare(at: Checkout, wish: Wish = {}) {
  return prepareIntent(at.checkout, await requestOf(at, wish));
}

/** The statuses of all payments, in the order in which they were made. */
export const statuses = (at: Checkout) =>
  at.rows(`SELECT status FROM payments ORDER BY rowid`).map((row) => row["status"]);
