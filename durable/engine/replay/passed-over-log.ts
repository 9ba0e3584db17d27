import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { DAY_MS, type DurationMs, type OfferId, type Period } from "../../../db/shapes/units.ts";
import type { PassedOverOffer, WhatIfContext } from "./what-if.ts";

/** Offers that are judged again at most, the newest. */
export const MAX_PASSED_OVER = 2_000;
/** Captures and lost attempts that are known at most. */
export const MAX_PASSED_OVER_ATTEMPTS = 500;

/** How long before the time blocks may have begun that count toward the limits of its first week. */
const COUNTED_MS: DurationMs = 8 * DAY_MS;

/** Lists of the log, each the newest first, and the driver's blocks. */
export type PassedOverLog = {
  disliked: readonly LogEntry[];
  won: readonly LogEntry[];
  lost: readonly LogEntry[];
  /**
   * The blocks that are held, and those that were until they were over, as far back as they are kept. The log of captures
   * doesn't tell which were given back.
   */
  held: readonly Block[];
  givenBack: readonly GivenBackBlock[];
};

/**
 * The offers that the filters passed over in a time and that nothing was tried for, with the blocks that stood in their
 * way.
 */
export function passedOverIn(
  { disliked, won, lost, held, givenBack }: PassedOverLog,
  { from, to }: Period,
): Pick<WhatIfContext, "passedOver" | "busy" | "givenBack"> {
  const attempted = new Set<OfferId>(
    [...won, ...lost].flatMap(({ event }) =>
      event.kind === "attempt_settled" ? [event.attempt.offer.offerId] : [],
    ),
  );
  const passedOver = disliked
    .flatMap(({ event }): PassedOverOffer[] =>
      event.kind === "offer_judged" &&
      event.at >= from &&
      event.at < to &&
      !attempted.has(event.offer.offerId) &&
      !isDeclined(event.reasons)
        ? [event]
        : [],
    )
    .toReversed();
  const counted = held.filter(({ endsAt }) => endsAt > from - COUNTED_MS);
  return { passedOver, busy: eachOnce(counted), givenBack };
}

/** Whether a question keeps an offer from being taken whatever the filters are: by how it ended, or since six were asked. */
function isDeclined([first]: readonly Reason[]): boolean {
  if (first?.code === "only_told") return first.rule === "ask";
  return first?.code === "passed" || first?.code === "unanswered";
}

/** The first of each block. */
function eachOnce(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>();
  return blocks.filter(({ blockId }) => !seen.has(blockId) && seen.add(blockId));
}
