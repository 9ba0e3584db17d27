import type { Offer } from "../../../db/shapes/work/offer.ts";
import { MINUTE_MS, type Cents, type DurationMs } from "../../../db/shapes/units.ts";
import {
  dayAt,
  gapBetween,
  limitReasons,
  mondayOfDay,
  useOf,
  type LimitBook,
} from "../verdicts/limit-book.ts";

/** Up to so many offers the best set is searched for; beyond, a good one is improved. */
const MAX_EXACT = 16;
/** How often a set is improved: each time by a round over all offers. */
const MAX_ROUNDS = 50;

/** An offer with what it adds to its day and week. */
type Candidate = {
  offer: Offer;
  day: number;
  monday: number;
  lengthMs: DurationMs;
  /** Toward the goal of the week. */
  countedCents: Cents;
};

/** Offers that can be taken together, beside the blocks that count already. */
type Chosen = { list: readonly Candidate[]; payCents: Cents; startsAtSum: number };

const NONE: Chosen = { list: [], payCents: 0, startsAtSum: 0 };

/** The offers in their order, without each that breaks a limit beside the blocks that count and those before it. */
export function greedyWithin(book: LimitBook, ordered: readonly Offer[]): Offer[] {
  const fits = fitting(book);
  return addAll(fits, NONE, toCandidates(book, ordered)).list.map(({ offer }) => offer);
}

/**
 * The set that pays most within the limits (ties: fewer offers, then earlier starts): exactly up to 16 offers, beyond that
 * greedily, improved by swaps of one.
 */
export function bestSetWithin(book: LimitBook, offers: readonly Offer[]): Offer[] {
  const fits = fitting(book);
  const candidates = toCandidates(book, offers).toSorted(byPay);
  const best =
    candidates.length <= MAX_EXACT ? searchBest(fits, candidates) : improveGreedy(fits, candidates);
  return best.list.map(({ offer }) => offer);
}

/** Whether offers keep all limits together, in whatever order they are taken. */
export function isWithinLimits(book: LimitBook, offers: readonly Offer[]): boolean {
  const candidates = toCandidates(book, offers);
  return (
    candidates.length === offers.length &&
    addAll(fitting(book), NONE, candidates).list.length === offers.length
  );
}

const byPay = ({ offer: one }: Candidate, { offer: other }: Candidate): number =>
  other.payCents - one.payCents || one.startsAt - other.startsAt || (one.offerId < other.offerId ? -1 : 1);

const byRate = (one: Candidate, other: Candidate): number =>
  other.offer.payCents * one.lengthMs - one.offer.payCents * other.lengthMs || byPay(one, other);

/** The offers that break no limit alone. */
function toCandidates(book: LimitBook, offers: readonly Offer[]): Candidate[] {
  return offers.flatMap((offer) => {
    if (limitReasons(book, offer).length > 0) return [];
    const day = dayAt(book.filters, offer);
    return {
      offer,
      day,
      monday: mondayOfDay(day),
      lengthMs: offer.endsAt - offer.startsAt,
      countedCents: offer.currency === book.currency ? offer.payCents : 0,
    };
  });
}

type Fits = (chosen: readonly Candidate[], one: Candidate) => boolean;

/** Whether an offer can be taken beside others that were chosen. Each of them must keep the goal beside all others. */
function fitting(book: LimitBook): Fits {
  const { limits } = book;
  const { restMinutes, travelMinutes, weekGoalCents } = limits;
  const uses = new Map<number, ReturnType<typeof useOf>>();
  const useOn = (day: number) => {
    const use = uses.get(day) ?? useOf(book, day);
    uses.set(day, use);
    return use;
  };
  const mostMs = (minutes: number | null) => (minutes === null ? Infinity : minutes * MINUTE_MS);
  const [dayMs, weekMs] = [mostMs(limits.minutesPerDay), mostMs(limits.minutesPerWeek)];
  return (chosen, one) => {
    const use = useOn(one.day);
    let [blocks, ms, inWeekMs] = [use.blocks + 1, use.ms + one.lengthMs, use.weekMs + one.lengthMs];
    let [payCents, leastCents] = [use.weekPayCents + one.countedCents, one.countedCents];
    for (const other of chosen) {
      const gapMs = gapBetween(other.offer, one.offer);
      if (gapMs < 0 || gapMs < (restMinutes ?? 0) * MINUTE_MS) return false;
      const isElsewhere = other.offer.warehouseId !== one.offer.warehouseId;
      if (isElsewhere && gapMs < (travelMinutes ?? 0) * MINUTE_MS) return false;
      if (other.monday !== one.monday) continue;
      inWeekMs += other.lengthMs;
      payCents += other.countedCents;
      leastCents = Math.min(leastCents, other.countedCents);
      if (other.day !== one.day) continue;
      blocks += 1;
      ms += other.lengthMs;
    }
    if (limits.blocksPerDay !== null && blocks > limits.blocksPerDay) return false;
    if (ms > dayMs || inWeekMs > weekMs) return false;
    return weekGoalCents === null || payCents - leastCents < weekGoalCents;
  };
}

function add(chosen: Chosen, one: Candidate): Chosen {
  return {
    list: [...chosen.list, one],
    payCents: chosen.payCents + one.offer.payCents,
    startsAtSum: chosen.startsAtSum + one.offer.startsAt,
  };
}

function addAll(fits: Fits, chosen: Chosen, ordered: readonly Candidate[]): Chosen {
  return ordered.reduce(
    (set, one) => (!set.list.includes(one) && fits(set.list, one) ? add(set, one) : set),
    chosen,
  );
}

function isBetter(one: Chosen, other: Chosen): boolean {
  if (one.payCents !== other.payCents) return one.payCents > other.payCents;
  if (one.list.length !== other.list.length) return one.list.length < other.list.length;
  return one.startsAtSum < other.startsAtSum;
}

/** Branch and bound: each offer, the best paying first, is taken or left, as long as the rest can still beat the best set. */
function searchBest(fits: Fits, candidates: readonly Candidate[]): Chosen {
  const restCents = candidates.map((_one, index) =>
    candidates.slice(index).reduce((sum, { offer }) => sum + offer.payCents, 0),
  );
  let best = addAll(fits, NONE, candidates);
  const visit = (chosen: Chosen, index: number) => {
    if (isBetter(chosen, best)) best = chosen;
    const one = candidates[index];
    if (!one || chosen.payCents + (restCents[index] ?? 0) < best.payCents) return;
    if (fits(chosen.list, one)) visit(add(chosen, one), index + 1);
    visit(chosen, index + 1);
  };
  visit(NONE, 0);
  return best;
}

/** The better of two greedy sets, improved for as long as an offer in place of one of it, with what fits beside, pays more. */
function improveGreedy(fits: Fits, candidates: readonly Candidate[]): Chosen {
  const [first, second] = [addAll(fits, NONE, candidates), addAll(fits, NONE, candidates.toSorted(byRate))];
  let best = isBetter(second, first) ? second : first;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = bestSwap(fits, candidates, best);
    if (!next) return best;
    best = next;
  }
  return best;
}

function bestSwap(fits: Fits, candidates: readonly Candidate[], present: Chosen): Chosen | null {
  let best: Chosen | null = null;
  for (const out of present.list) {
    const rest = present.list.filter((one) => one !== out).reduce(add, NONE);
    for (const one of candidates) {
      if (one === out || rest.list.includes(one) || !fits(rest.list, one)) continue;
      const next = addAll(fits, add(rest, one), candidates);
      if (isBetter(next, best ?? present)) best = next;
    }
  }
  return best;
}
