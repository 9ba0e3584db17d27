import { isTriedOrHeld, judgingContext } from "../verdicts/judge.ts";
import { matchOffer, overlaps } from "../verdicts/match.ts";
import type { DriverState, StepContext } from "../state/types.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import { MINUTE_MS, type DurationMs } from "../../../db/shapes/units.ts";

/** An older listing no longer says what is offered now. */
const LISTED_NOW_MS: DurationMs = 5 * MINUTE_MS;

/**
 * The offers that the driver could take in place of a held block, the best pay first: listed now, overlapping it, and wanted if
 * it were not held. Null if no listing is recent enough.
 */
export function otherOffersAt(
  state: DriverState,
  block: Block,
  { now, settings }: Pick<StepContext, "now" | "settings">,
): Offer[] | null {
  const { lastPollAnsweredAt, openOfferIds } = state.transient;
  if (lastPollAnsweredAt === null || now - lastPollAnsweredAt > LISTED_NOW_MS) return null;
  const without = { ...state, held: state.held.filter(({ blockId }) => blockId !== block.blockId) };
  const context = judgingContext(without, { now, settings });
  if (context === null) return null;
  return openOfferIds
    .flatMap((id) => state.verdicts.get(id)?.offer ?? [])
    .filter((offer) => overlaps(offer, block) && !isTriedOrHeld(state, offer.offerId))
    .filter((offer) => matchOffer(offer, context).length === 0)
    .toSorted((one, other) => other.payCents - one.payCents);
}
