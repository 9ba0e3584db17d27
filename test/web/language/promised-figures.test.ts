import { describe, expect, it } from "vitest";
import { DEFAULT_PLAN, PLAN_DAYS, SEED_PRICES } from "../../../db/shapes/money/plans.ts";
import { MIN_SERVICE_MS, PAUSE_LIMITS } from "../../../db/shapes/money/pause.ts";
import { CITY_WEEKS } from "../../../db/shapes/work/city-hours.ts";
import { INVITATION_DAYS, POINTS_COST } from "../../../db/shapes/money/rewards.ts";
import { SPOT_LAPSE_MS, SPOT_OFFER_MS } from "../../../db/shapes/money/spots.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { invitationChange } from "../../../worker/payments/refunds.ts";
import { feeOf, pointsEarned } from "../../../worker/payments/prices/prices.ts";
import { nextRenewalStep } from "../../../worker/payments/renewals/renewal-schedule.ts";

import en from "../../../locales/en.json" with { type: "json" };
import es from "../../../locales/es.json" with { type: "json" };
import pt from "../../../locales/pt.json" with { type: "json" };

const LOCALES = [
  ["en", en],
  ["es", es],
  ["pt", pt],
] as const;

const priceCents = SEED_PRICES[DEFAULT_PLAN];
const paidInMoney = { plan: DEFAULT_PLAN, priceCents, discountCents: 0, pointsCents: 0 } as const;
const POINTS_PER_DAY = pointsEarned(paidInMoney) / PLAN_DAYS[DEFAULT_PLAN];

/** The days after a payment within which a refund takes the inviter's free days back. */
const REFUND_DAYS = Array.from({ length: 60 }, (_, days) => days).findLast(takesInvitationBack);

function takesInvitationBack(days: number): boolean {
  const refund = {
    id: "refund",
    kind: "refund",
    cents: priceCents,
    at: days * DAY_MS,
    isEffective: true,
    isGoodwill: false,
  } as const;
  const price = {
    plan: DEFAULT_PLAN,
    priceCents,
    discountKind: null,
    discountCents: 0,
    pointsCents: 0,
  } as const;
  const payment = { ...price, status: "settled", settledAt: 0, totalCents: priceCents } as const;
  const change = { status: "refunded", settledAt: 0 } as const;
  return invitationChange(payment, { change, refunds: [refund] })?.kind === "revoke";
}

/** How long a driver was told before a charge that is due at once. */
function renewalNoticeHours(): number {
  const step = nextRenewalStep(
    { noticedEnd: null, noticedAt: null, noticeConfirmedAt: null },
    { serviceUntil: 20 * HOUR_MS, isQuiet: false, now: 0 },
  );
  return step.kind === "notify" ? step.chargeAt / HOUR_MS : Number.NaN;
}

const PROMISED = {
  faqs_points_answer: [POINTS_PER_DAY, ...Object.values(POINTS_COST)],
  feature_points_text: [POINTS_PER_DAY, POINTS_COST["3days"], PLAN_DAYS["3days"]],
  rewards_text: [POINTS_PER_DAY],
  feature_invite_text: [INVITATION_DAYS],
  invite_text: [INVITATION_DAYS],
  faqs_invitations_answer: [INVITATION_DAYS, REFUND_DAYS],
  terms_points_text: [INVITATION_DAYS, REFUND_DAYS],
  faqs_spots_answer: [SPOT_LAPSE_MS / DAY_MS, SPOT_OFFER_MS / HOUR_MS],
  spot_waiting_text: [SPOT_OFFER_MS / HOUR_MS],
  spot_taken: [SPOT_LAPSE_MS / DAY_MS],
  terms_payment_text: [renewalNoticeHours(), SPOT_LAPSE_MS / DAY_MS, PAUSE_LIMITS.days, PAUSE_LIMITS.perDays],
  faqs_days_answer: [PAUSE_LIMITS.days, PAUSE_LIMITS.perDays],
  pause_obstacle_short: [MIN_SERVICE_MS / DAY_MS],
  pause_obstacle_used_up: [PAUSE_LIMITS.perDays],
  hours_city_text: [CITY_WEEKS],
  faqs_cancel_answer: [renewalNoticeHours()],
  renew_agree: [renewalNoticeHours()],
} satisfies Partial<Record<keyof typeof en, readonly unknown[]>>;

describe.each(LOCALES)("the promises to drivers in %s", (_language, locale) => {
  it.each(Object.entries(PROMISED))("is what the product does: %s", (key, figures) => {
    const text = String(locale[key as keyof typeof PROMISED]).replaceAll(/(?<=\d)[.,](?=\d{3})/g, "");
    const missing = figures.filter((figure) => !new RegExp(`\\b${figure}\\b`).test(text));
    expect(missing, text).toEqual([]);
  });
});

it.each(LOCALES)(
  "says in %s that the bank fee is a share of the price, not of the total",
  (_language, locale) => {
    const [price, rate] = [SEED_PRICES["30days"], 7_000];
    const fee = feeOf(price, rate);
    expect([fee, feeOf(price + fee, rate)]).toEqual([119, 120]);
    expect(locale.pay_fee_text).toMatch(/\b(?:price|precio|preço)\b/);
  },
);
