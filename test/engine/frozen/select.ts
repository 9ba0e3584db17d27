import { MODE_RULES, type SelectionName } from "../../../durable/engine/selection/modes.ts";
import { overlaps } from "./match.ts";
import type { Mode } from "../../../db/shapes/work/filters.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { Cents, Span } from "../../../db/shapes/units.ts";

type OfferComparator = (one: Offer, other: Offer) => number;

/** The ways to choose among matching offers, in the order in which to try them. */
const SELECTIONS = {
  /** The set with the highest total pay (ties: fewer offers, then earlier starts), best rate first. */
  best_paying_set: (free: readonly Offer[]) => bestPayingSet(free).toSorted(byRate),
  /** Skipping what overlaps, as below. */
  earliest_first: (free: readonly Offer[]) => greedySet(free.toSorted(byStart)),
  highest_pay_first: (free: readonly Offer[]) => greedySet(free.toSorted(byPay)),
} satisfies Record<SelectionName, (free: readonly Offer[]) => Offer[]>;

/**
 * Selects which of the matching offers a mode accepts, in the order in which to try them. No two of them
 * overlap each other or a busy span. The result doesn't depend on the order of `matches`.
 */
export function selectOffers(
  mode: Mode,
  { matches, busy }: { matches: readonly Offer[]; busy: readonly Span[] },
): Offer[] {
  const free = matches.filter((offer) => !busy.some((span) => overlaps(span, offer)));
  return SELECTIONS[MODE_RULES[mode].selection](free);
}

function byId(one: Offer, other: Offer): number {
  return one.offerId < other.offerId ? -1 : 1;
}

const byStart: OfferComparator = (one, other) =>
  one.startsAt - other.startsAt || other.payCents - one.payCents || byId(one, other);

const byPay: OfferComparator = (one, other) =>
  other.payCents - one.payCents || one.startsAt - other.startsAt || byId(one, other);

const byEnd: OfferComparator = (one, other) =>
  one.endsAt - other.endsAt || one.startsAt - other.startsAt || byId(one, other);

/** Cross-multiplied, so that no rate is rounded. */
const byRate: OfferComparator = (one, other) =>
  other.payCents * lengthMs(one) - one.payCents * lengthMs(other) || byStart(one, other);

function lengthMs({ startsAt, endsAt }: Span): number {
  return endsAt - startsAt;
}

function greedySet(ordered: readonly Offer[]): Offer[] {
  const chosen: Offer[] = [];
  for (const offer of ordered) {
    if (!chosen.some((other) => overlaps(other, offer))) chosen.push(offer);
  }
  return chosen;
}

/** The best set among the first n offers by end, as a linked list that shares its tail with earlier sets. */
type BestSet = {
  payCents: Cents;
  count: number;
  startsAtSum: number;
  last: Offer | null;
  previous: BestSet | null;
};

const EMPTY_SET: BestSet = { payCents: 0, count: 0, startsAtSum: 0, last: null, previous: null };

/**
 * Weighted interval scheduling: in order of end, each offer is either skipped or added to the best set that ends before
 * it starts.
 */
function bestPayingSet(offers: readonly Offer[]): Offer[] {
  const ordered = offers.toSorted(byEnd);
  const bests: BestSet[] = [EMPTY_SET];
  for (const [index, offer] of ordered.entries()) {
    const without = bests[index] ?? EMPTY_SET;
    const base = bests[countEndedBy(ordered, offer.startsAt)] ?? EMPTY_SET;
    const withIt: BestSet = {
      payCents: base.payCents + offer.payCents,
      count: base.count + 1,
      startsAtSum: base.startsAtSum + offer.startsAt,
      last: offer,
      previous: base,
    };
    bests.push(isBetter(withIt, without) ? withIt : without);
  }
  const chosen: Offer[] = [];
  for (let best = bests.at(-1) ?? null; best?.last; best = best.previous) chosen.push(best.last);
  return chosen;
}

function isBetter(one: BestSet, other: BestSet): boolean {
  if (one.payCents !== other.payCents) return one.payCents > other.payCents;
  if (one.count !== other.count) return one.count < other.count;
  return one.startsAtSum < other.startsAtSum;
}

/** How many of the offers, sorted by end, have ended by an instant (binary search). */
function countEndedBy(ordered: readonly Offer[], at: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const offer = ordered[middle];
    if (offer && offer.endsAt <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
