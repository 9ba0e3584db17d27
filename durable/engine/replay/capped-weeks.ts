import type { KeptBlock, ListingChange } from "../../../db/shapes/log/listing.ts";
import type { Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import {
  MINUTE_MS,
  type BlockId,
  type DurationMs,
  type EpochMs,
  type Span,
} from "../../../db/shapes/units.ts";
import { fullWeekFor, isIn, weekOf, type FullWeek } from "../verdicts/weekly-limit.ts";

/** The platform refused an offer since the driver's week was full. */
export type WeekRefusal = { at: EpochMs; offer: Offer };

/** The driver's blocks, as far as the log knows them. */
type BlockLog = {
  /** Oldest first. */
  changes: readonly Pick<ListingChange, "at" | "held" | "freed" | "returned">[];
  heldBefore: readonly KeptBlock[];
};

/** A week of which the platform gave the driver less than this. */
type CappedWeek = Span & { belowMs: DurationMs };

/**
 * The weeks in which the platform refused to give more. Together with what was held then, the refused offer was too much. More
 * that was held at another time of that week was not.
 */
export function cappedWeeks(
  { refusals, ...log }: BlockLog & { refusals: readonly WeekRefusal[] },
  warehouses: readonly Warehouse[],
): CappedWeek[] {
  if (refusals.length === 0) return [];
  const known = heldSpans(log);
  return refusals.map(({ at, offer }) => {
    const week = weekOf(offer, warehouses);
    const inWeek = known.filter(({ block }) => isIn(week, block));
    const heldMs = (instant: EpochMs) =>
      msOf(
        inWeek.flatMap(({ block, until }) => (block.acceptedAt <= instant && instant < until ? [block] : [])),
      );
    const most = Math.max(0, ...inWeek.map(({ block }) => heldMs(block.acceptedAt)));
    return { ...week, belowMs: Math.max(most + 1, heldMs(at) + msOf([offer])) };
  });
}

/** How much more of each week the platform gives beside these blocks. */
export function fullWeeksBeside(weeks: readonly CappedWeek[], blocks: readonly Span[]): FullWeek[] {
  return weeks.map(({ startsAt, endsAt, belowMs }) => {
    const usedMs = msOf(blocks.filter((block) => isIn({ startsAt, endsAt }, block)));
    const minutes = Math.max(1, Math.ceil((belowMs - usedMs) / MINUTE_MS));
    return { startsAt, endsAt, minutes, until: endsAt };
  });
}

/** The offers in their order, without each that the platform would not give beside the blocks and those before it. */
export function withinWeeks(
  weeks: readonly CappedWeek[],
  offers: readonly Offer[],
  { blocks, isMissed }: { blocks: readonly Span[]; isMissed: (offer: Offer) => boolean },
): Offer[] {
  const won = [...blocks];
  return offers.filter((offer) => {
    if (isMissed(offer)) return true;
    if (fullWeekFor(fullWeeksBeside(weeks, won), offer)) return false;
    won.push(offer);
    return true;
  });
}

/** Every block that was held, until it was given back. */
function heldSpans({ changes, heldBefore }: BlockLog): { block: KeptBlock; until: EpochMs }[] {
  const known = new Map<BlockId, { block: KeptBlock; until: EpochMs }>();
  const hold = (block: KeptBlock) => known.set(block.blockId, { block, until: Infinity });
  heldBefore.forEach(hold);
  for (const { at, held, freed, returned = [] } of changes) {
    for (const id of freed) {
      const block = known.get(id)?.block;
      // One that had begun was worked, unless it was given back unseen.
      if (block && (block.startsAt > at || returned.includes(id))) known.set(id, { block, until: at });
    }
    held.forEach(hold);
  }
  return [...known.values()];
}

function msOf(spans: readonly Span[]): DurationMs {
  return spans.reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0);
}
