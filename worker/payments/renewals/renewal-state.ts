import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import {
  loadRenewal,
  turnRenewalOff,
  turnRenewalOn,
  type RenewalRow,
} from "../../../db/queries/payments/renewals.ts";
import { isRenewalCardReported } from "../../../db/queries/payments/renewal-guards.ts";
import { planForSale } from "../../../db/shapes/money/plans.ts";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import type { Renewal, RenewalInput } from "../../contract/money/saved-cards.ts";
import type { CheckoutContext } from "../checkout.ts";
import { abandonRenewal } from "./renewal-charge.ts";
import { nextChargeAt } from "./renewal-schedule.ts";

/** A driver's renewal as they see it; null if they never agreed to one. */
export async function loadRenewalState(
  { db, deps }: Pick<CheckoutContext, "db" | "deps">,
  { row, profile }: DriverRecord,
): Promise<Renewal | null> {
  const stored = await loadRenewal(db, row.id);
  return stored && toRenewal(stored, nextChargeAt(stored, profile.serviceUntil, deps.now()));
}

/**
 * Turns a renewal off, with what is being charged if the bank still allows that, or on again as it was.
 * @returns `price_changed` if what the driver agreed to is not what is there, `card_disputed` if the card must be paid with
 * by its owner first, or may never be
 */
export async function turnRenewal(
  checkout: CheckoutContext,
  { row }: DriverRecord,
  input: RenewalInput,
): Promise<"done" | "price_changed" | "card_disputed"> {
  const { cards, db, deps } = checkout;
  const driverId = row.id;
  const now = deps.now();
  if (!input.on) {
    await turnRenewalOff(db, driverId, now);
    if (cards) await abandonRenewal({ ...checkout, cards }, driverId);
    return "done";
  }
  const { plan, capCents, words } = input;
  if (words !== RENEWAL_WORDS) return "price_changed";
  if (await isRenewalCardReported(db, driverId)) return "card_disputed";
  return (await turnRenewalOn(db, { driverId, plan, capCents }, { words, now })) ? "done" : "price_changed";
}

function toRenewal(stored: RenewalRow, chargeAt: number | null): Renewal | null {
  const { status, pause, currency, capCents, method: type, methodBrand: brand, methodLast4: last4 } = stored;
  const plan = planForSale.safeParse(stored.plan);
  if (!plan.success) return null;
  return {
    status,
    pause: status === "paused" ? pause : null,
    plan: plan.data,
    currency,
    capCents,
    card: { type, brand, last4 },
    chargeAt: status === "on" ? chargeAt : null,
  };
}
