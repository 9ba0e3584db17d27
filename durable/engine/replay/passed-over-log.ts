import { capturedIn, type LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { GivenBackBlock } from "../../../db/shapes/work/given-back.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { OfferId, Period } from "../../../db/shapes/units.ts";
import type { PassedOverOffer, WhatIfContext } from "./what-if.ts";

/** Offers that are judged again at most, the newest. */
export const MAX_PASSED_OVER = 2_000;
/** Captures and lost attempts that are known at most. */
export const MAX_PASSED_OVER_ATTEMPTS = 500;

/** Lists of the log, each the newest first, and the driver's blocks. */
export type PassedOverLog = {
  disliked: readonly LogEntry[];
  /** From the whole log: earlier captures may block offers of the period. */
  won: readonly LogEntry[];
  lost: readonly LogEntry[];
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
      !attempted.has(event.offer.offerId)
        ? [event]
        : [],
    )
    .toReversed();
  const captured = won.flatMap(capturedIn).filter(wasHeldAfter(from, givenBack));
  return { passedOver, busy: eachOnce([...held, ...captured]), givenBack };
}

/** The first of each block. */
function eachOnce(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>();
  return blocks.filter(({ blockId }) => !seen.has(blockId) && seen.add(blockId));
}

/** Whether a capture stood in the way of offers since an instant: a block that was given back did not. */
function wasHeldAfter(
  since: Period["from"],
  givenBack: readonly GivenBackBlock[],
): (block: Block) => boolean {
  const returned = new Set(givenBack.map(({ blockId }) => blockId));
  return ({ blockId, endsAt, status }) => endsAt > since && status !== "forfeited" && !returned.has(blockId);
}
