import {
  loadConsentOfPayment,
  withdrawConsent,
  type ConsentRecord,
} from "../../../db/queries/payments/renewal-consents.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import type { PaymentRenewal } from "../../contract/money/payments.ts";
import type { RenewalTerms } from "../../contract/money/renewal-link.ts";
import type { CheckoutContext } from "../checkout.ts";
import { recordRenewal } from "./record-renewal.ts";
import { abandonRenewal } from "./renewal-charge.ts";
import { makeRenewalLink } from "../owner-link.ts";

/** A consent as its owner reads it. */
export function toRenewalTerms(consent: ConsentRecord): RenewalTerms {
  const { plan, capCents, currency, words, at: agreedAt, withdrawnAt, status } = consent;
  return { status: status ?? "ended", plan, capCents, currency, words, agreedAt, withdrawnAt };
}

/** The renewal that a payment agreed to or was charged by, with the link that turns it off; null for a payment without. */
export async function loadPaymentRenewal(
  context: Pick<CheckoutContext, "db" | "deps">,
  payment: { driverId: DriverId; paymentId: string },
): Promise<PaymentRenewal | null> {
  const consent = await loadConsentOfPayment(context.db, payment);
  if (!consent) return null;
  const link = consent.status === null ? null : await makeRenewalLink(context, consent.id);
  return { ...toRenewalTerms(consent), link };
}

/**
 * Turns a renewal off by the link that acknowledged its consent, with what is being charged if the bank still allows that.
 * @returns false if that consent holds no longer, so that an old link ends no other renewal
 */
export async function endByLink(checkout: CheckoutContext, consent: ConsentRecord): Promise<boolean> {
  const { cards, db, deps } = checkout;
  const { id: consentId, driverId } = consent;
  const current = await withdrawConsent(db, consent, deps.now());
  if (current === undefined) return false;
  await recordRenewal(deps, driverId, false);
  deps.log("info", "payments.renewal.ended_by_link", { driverId, consentId });
  if (cards) await abandonRenewal({ ...checkout, cards }, current);
  return true;
}
