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
import { noteNotice, noticeSource } from "../../../db/queries/payments/renewal-notices.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Renewal, RenewalInput, RenewalNotice } from "../../contract/money/saved-cards.ts";
import type { CheckoutContext } from "../checkout.ts";
import { recordRenewal } from "./record-renewal.ts";
import { abandonRenewal } from "./renewal-charge.ts";
import { nextChargeAt } from "./renewal-schedule.ts";

/** A driver's renewal as they see it; null if they never agreed to one. */
export async function loadRenewalState(
  { db, deps }: Pick<CheckoutContext, "db" | "deps">,
  { row, profile }: DriverRecord,
): Promise<Renewal | null> {
  const stored = await loadRenewal(db, row.id);
  return stored && toRenewal(stored, profile.serviceUntil, deps.now());
}

/** A renewal as it was left, or the code of why it could not be turned on. */
export type TurnedRenewal =
  | { ok: true; renewal: Renewal | null }
  | { ok: false; code: "price_changed" | "card_disputed" };

/**
 * Turns a renewal off, with what is being charged if the bank still allows that, or on again as it was: then the driver is to
 * be sent what changed.
 * @returns `price_changed` if what the driver agreed to is not what is there, `card_disputed` if the card must be paid with
 * by its owner first, or may never be
 */
export async function turnRenewal(
  checkout: CheckoutContext,
  { row, profile }: DriverRecord,
  input: RenewalInput,
): Promise<TurnedRenewal> {
  const { cards, db, deps } = checkout;
  const driverId = row.id;
  const now = deps.now();
  const done = (stored: RenewalRow | null): TurnedRenewal => ({
    ok: true,
    renewal: stored && toRenewal(stored, profile.serviceUntil, now),
  });
  if (!input.on) {
    await recordRenewal(deps, driverId, false);
    const { current, renewal } = await turnRenewalOff(db, driverId, now);
    if (cards) await abandonRenewal({ ...checkout, cards }, current);
    return done(renewal);
  }
  const { plan, capCents, words } = input;
  if (words !== RENEWAL_WORDS) return { ok: false, code: "price_changed" };
  const turned = await turnRenewalOn(db, { driverId, plan, capCents }, { words, now });
  if (turned) {
    // Only now: refused, it is as off as the record says, also in a database that is restored to before.
    await recordRenewal(deps, driverId, true);
    return done(turned);
  }
  return { ok: false, code: (await isRenewalCardReported(db, driverId)) ? "card_disputed" : "price_changed" };
}

/**
 * A page has shown the driver the notice of the next charge, which confirms it as a text that arrived does.
 * @returns false if that notice does not hold: another end of service, or another price
 */
export async function confirmSeen(
  { db, deps }: Pick<CheckoutContext, "db" | "deps">,
  { row, profile }: DriverRecord,
  seen: RenewalNotice,
): Promise<boolean> {
  const stored = await loadRenewal(db, row.id);
  if (!stored) return false;
  const notice = noticeOf(stored, profile.serviceUntil);
  if (notice?.end !== seen.end || notice.cents !== seen.cents) return false;
  const source = noticeSource({ consentId: stored.consentId, ...seen });
  await noteNotice(db, { source, channel: "page", driverId: row.id, at: deps.now() });
  return true;
}

/** The notice of the next charge; null where none was sent, or the end of service has moved since. */
function noticeOf(
  { status, noticedEnd, noticedCents }: RenewalRow,
  serviceUntil: EpochMs | null,
): RenewalNotice | null {
  if (status !== "on" || noticedEnd === null || noticedEnd !== serviceUntil || noticedCents === null)
    return null;
  return { end: noticedEnd, cents: noticedCents };
}

function toRenewal(stored: RenewalRow, serviceUntil: EpochMs | null, now: EpochMs): Renewal | null {
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
    chargeAt: status === "on" ? nextChargeAt(stored, serviceUntil, now) : null,
    notice: noticeOf(stored, serviceUntil),
  };
}
