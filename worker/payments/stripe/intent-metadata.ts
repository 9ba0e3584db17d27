import type { PaymentRow } from "../../../db/queries/payments/payments.ts";
import { PLAN_DAYS } from "../../../db/shapes/money/plans.ts";

/** An intent's metadata, so that the books can be rebuilt from Stripe alone. Money in cents of the intent's currency. */
export function toIntentMetadata(payment: PaymentRow): Record<string, string> {
  const { id, driverId, plan, priceId, discountId, taxName, taxMillionths } = payment;
  return {
    payment_id: id,
    driver_id: driverId,
    plan,
    days: String(PLAN_DAYS[plan]),
    price_cents: String(payment.priceCents),
    discount_cents: String(payment.discountCents),
    points: String(payment.points),
    points_cents: String(payment.pointsCents),
    fee_cents: String(payment.feeCents),
    ...(priceId !== null && { price_id: priceId }),
    ...(discountId !== null && { discount_id: discountId }),
    ...(taxName !== null &&
      taxMillionths !== null && { tax: taxName, tax_millionths: String(taxMillionths) }),
  };
}
