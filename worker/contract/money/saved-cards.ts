import * as z from "zod/mini";
import { planForSale } from "../../../db/shapes/money/plans.ts";
import { renewalPause, shownRenewalStatus } from "../../../db/shapes/money/renewal.ts";
import { cents, epochMs } from "../../../db/shapes/units.ts";
import { quote, receiptMethod, renewalConsent } from "./payments.ts";
import type { ApiRoute } from "../api-route.ts";

/** The processor's id of a saved card. Strict, since it becomes part of a path. */
export const savedCardId = z.string().check(z.regex(/^pm_\w{1,64}$/));

/** A card (or Link account) that the driver let the processor keep. */
export const savedCard = z.extend(receiptMethod, {
  id: savedCardId,
  /** Null for what does not expire. */
  expMonth: z.nullable(z.int()),
  expYear: z.nullable(z.int()),
});
export type SavedCard = z.infer<typeof savedCard>;

/** The purchase of 'same again': the plan of the driver's last payment, at its price now, with the card that paid it. */
export const sameAgain = z.object({
  quote,
  card: savedCard,
  /** The plan's price the last time, without points; null if it is the same or unknown. */
  formerTotalCents: z.nullable(cents),
});
export type SameAgain = z.infer<typeof sameAgain>;

/** GET /flex/v1/payments/cards. `sameAgain` is null where there is nothing to repeat, or no card to repeat it with. */
export const savedCardsResponse = z.object({ cards: z.array(savedCard), sameAgain: z.nullable(sameAgain) });
export type SavedCardsResponse = z.infer<typeof savedCardsResponse>;

/** The path of DELETE /flex/v1/payments/cards/{id}. A renewal that uses the card is turned off. */
export const savedCardParams = z.object({ id: savedCardId });

/** POST /flex/v1/payments/session: a session in which the Payment Element shows the saved cards. */
export const customerSessionResponse = z.object({ clientSecret: z.string() });
export type CustomerSessionResponse = z.infer<typeof customerSessionResponse>;

/** The notice of a charge: for which end of service it is, and how much will be charged. */
export const renewalNotice = z.strictObject({ end: epochMs, cents });
export type RenewalNotice = z.infer<typeof renewalNotice>;

/** A driver's renewal. */
export const renewal = z.object({
  status: shownRenewalStatus,
  /** Why it is paused; null unless it is. */
  pause: z.nullable(renewalPause),
  plan: z.enum([...planForSale.options, "other"]),
  currency: z.string(),
  /** The most that is charged. */
  capCents: cents,
  card: receiptMethod,
  /** When it is charged next, if nothing changes; null unless it is on and service has not ended. */
  chargeAt: z.nullable(epochMs),
  /** The announced charge; null before that. Left out by servers of before. */
  notice: z.optional(z.nullable(z.object(renewalNotice.shape))),
});
export type Renewal = z.infer<typeof renewal>;

/** GET /flex/v1/payments/renewal: null if the driver never agreed to one. */
export const renewalResponse = z.object({ renewal: z.nullable(renewal) });

/**
 * PUT /flex/v1/payments/renewal. Off needs nothing. On agrees anew to the plan and cap that the driver sees; if they
 * are others by now, the answer is `price_changed`.
 */
export const renewalInput = z.discriminatedUnion("on", [
  z.strictObject({ on: z.literal(false) }),
  z.strictObject({ on: z.literal(true), plan: planForSale, ...renewalConsent.shape }),
]);
export type RenewalInput = z.infer<typeof renewalInput>;

/** Saved cards, and the renewal that uses one. */
export const SAVED_CARD_ROUTES = {
  "GET /flex/v1/payments/cards": {
    summary: "The driver's saved cards, and what 'same again' buys.",
    auth: "bearer",
    responses: { 200: savedCardsResponse },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "DELETE /flex/v1/payments/cards/{id}": {
    summary: "Removes a saved card. A renewal that uses it is turned off.",
    auth: "bearer",
    params: savedCardParams,
    responses: { 204: null },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "POST /flex/v1/payments/session": {
    summary: "A session in which the card form shows the saved cards.",
    auth: "bearer",
    responses: { 200: customerSessionResponse },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "GET /flex/v1/payments/renewal": {
    summary: "The driver's renewal; null if they never agreed to one.",
    auth: "bearer",
    responses: { 200: renewalResponse },
    errors: ["not_found", "rate_limited"],
  },
  "PUT /flex/v1/payments/renewal": {
    summary: "Turns the renewal off, or on again as it was.",
    auth: "bearer",
    body: renewalInput,
    responses: { 200: renewalResponse },
    errors: ["not_found", "price_changed", "card_disputed", "rate_limited"],
  },
  "POST /flex/v1/payments/renewal/seen": {
    summary:
      "The page has shown the driver the notice of the next charge. A notice that holds no longer is `conflict`.",
    auth: "bearer",
    body: renewalNotice,
    responses: { 204: null },
    errors: ["not_found", "conflict", "rate_limited"],
  },
} as const satisfies Record<string, ApiRoute>;
