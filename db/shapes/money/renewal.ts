import * as z from "zod/mini";

/** `off`: the driver turned it off. `paused`: it failed softly, and nothing more is tried until the driver acts. */
export const renewalStatus = z.enum(["on", "off", "paused"]);

/** The status as it is shown; `other` is one of a later release. */
export const shownRenewalStatus = z.enum([...renewalStatus.options, "other"]);

/**
 * Why a renewal paused. `over_cap`: the plan costs more than the driver agreed to. `needs_bank`: the bank wants the
 * driver to confirm. `method_gone`: the card was removed or has expired. `not_served`: the system was off, unlinked or
 * waiting for a spot until service ended. `failed`: it could not be charged in time, or what happened is not known.
 * `card_disputed`: a payment made with the card was disputed or reported as fraud. `untold`: no channel confirmed the
 * notice in time. `refunded`: the last renewal was refunded.
 */
export const renewalPause = z.enum([
  "over_cap",
  "needs_bank",
  "declined",
  "method_gone",
  "plan_gone",
  "not_served",
  "failed",
  "card_disputed",
  "untold",
  "refunded",
]);
export type RenewalPause = z.infer<typeof renewalPause>;

/** Channels that confirm the notice of a renewal, beside a text: the browser's push service took it, or a page showed it. */
export type NoticeChannel = "push" | "page";

/** The tag of a push that tells of a renewal ahead begins so, and is the source of that service change. */
export const RENEWAL_TAG = "renewal:";

/** The source of the service change that acknowledges a consent begins so, before the consent's id. */
export const CONSENT_SOURCE = "consent:";

/** The version of the words that a driver agrees to (`renew_agree` in `locales`): another text is another version. */
export const RENEWAL_WORDS = 3;
