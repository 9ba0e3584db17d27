import type { PlansResponse } from "../../../worker/contract/money/payments.ts";

/** Cards can't be charged now: until when that is paused, or null for no known end. */
export type ClosedCards = { pausedUntil: number | null };

/** Why nothing can be paid by card; null where it can be. `publishableKey`: null in a deployment without one. */
export function closedCardsOf(
  { cardsReady, pausedUntil }: Pick<PlansResponse, "cardsReady" | "pausedUntil">,
  { publishableKey, now }: { publishableKey: string | null; now: number },
): ClosedCards | null {
  if (pausedUntil !== null && pausedUntil > now) return { pausedUntil };
  return cardsReady && publishableKey !== null ? null : { pausedUntil: null };
}
