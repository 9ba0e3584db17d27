import type { Limits } from "../../db/shapes/work/filters.ts";
import type { Offer } from "../../db/shapes/work/offer.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { compileFilters } from "../../durable/engine/verdicts/compiled-filters.ts";
import { limitReasons, openLimitBook, type LimitBook } from "../../durable/engine/verdicts/limit-book.ts";
import { bestSetWithin, isWithinLimits } from "../../durable/engine/selection/select-within.ts";
import { idOf, makeFilters, makeOffer, makeProfile, makeWarehouse, NOON } from "../engine/fixtures.ts";

const CASES = 200;
/** The most that are searched exactly, and more than that. */
const EXACT_OFFERS = 16;
const GREEDY_OFFERS = 18;

export type GreedyDistance = {
  name: string;
  cases: number;
  exactShare: number;
  meanShare: number;
  worstShare: number;
};

export type ExactTimes = { name: string; cases: number; medianMs: number; p99Ms: number; longestMs: number };

type Draws = ReturnType<typeof createDraws>;

/** The same draws in each run. */
function createDraws(seed: number) {
  let state = seed;
  const roll = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    is: (probability: number) => roll() < probability,
    between: (least: number, most: number) => least + Math.floor(roll() * (most - least + 1)),
    one: (figures: readonly number[]) => figures[Math.floor(roll() * figures.length)] ?? null,
  };
}

/** How long the search for the best set of so many offers takes, each of which the limits allow by itself. */
export function benchExact(): ExactTimes {
  const chance = createDraws(2);
  const times: number[] = [];
  while (times.length < CASES) {
    const book = makeBook(chance);
    const drawn = makeOffers(chance, 2 * EXACT_OFFERS).filter(
      (offer) => limitReasons(book, offer).length === 0,
    );
    if (drawn.length < EXACT_OFFERS) continue;
    const startedAt = performance.now();
    bestSetWithin(book, drawn.slice(0, EXACT_OFFERS));
    times.push(performance.now() - startedAt);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(CASES - 1, Math.floor(share * CASES))] ?? 0;
  return { name: "exact selection", cases: CASES, medianMs: at(0.5), p99Ms: at(0.99), longestMs: at(1) };
}

/** The pay of the greedy selection, as a share of that of the best set within the limits. */
export function benchGreedy(): GreedyDistance {
  const chance = createDraws(1);
  const shares = Array.from({ length: CASES }, () => {
    const book = makeBook(chance);
    const offers = makeOffers(chance, GREEDY_OFFERS).filter(
      (offer) => limitReasons(book, offer).length === 0,
    );
    const best = bestPay(book, offers);
    return best === 0 ? 1 : payOf(bestSetWithin(book, offers)) / best;
  });
  return {
    name: "greedy selection",
    cases: CASES,
    exactShare: shares.filter((share) => share === 1).length / CASES,
    meanShare: shares.reduce((sum, share) => sum + share, 0) / CASES,
    worstShare: Math.min(...shares),
  };
}

function makeBook(chance: Draws): LimitBook {
  const one = (figures: readonly number[]) => (chance.is(0.6) ? chance.one(figures) : null);
  const limits: Limits = {
    blocksPerDay: one([1, 2, 3]),
    minutesPerDay: one([300, 480, 600]),
    minutesPerWeek: one([900, 1_500, 2_400]),
    restMinutes: one([15, 60]),
    travelMinutes: one([30, 90]),
    weekGoalCents: one([30_000, 60_000]) ?? 90_000,
  };
  const profile = makeProfile({ filters: makeFilters({ limits }) });
  const warehouses = ["W0", "W1", "W2"].map((name) => makeWarehouse({ warehouseId: idOf.warehouse(name) }));
  const book = openLimitBook(compileFilters(profile, warehouses), [], "USD");
  if (!book) throw new Error("there are no limits");
  return book;
}

function makeOffers(chance: Draws, count: number): Offer[] {
  return Array.from({ length: count }, (_, index) => {
    const startsAt = NOON + chance.between(0, 4 * 72) * 15 * MINUTE_MS;
    return makeOffer(`o${index}`, {
      warehouseId: idOf.warehouse(`W${chance.between(0, 2)}`),
      startsAt,
      endsAt: startsAt + chance.between(2, 5) * HOUR_MS,
      payCents: chance.between(40, 180) * 100,
    });
  });
}

/** The pay of the best set, by a search over all of them. */
function bestPay(book: LimitBook, offers: readonly Offer[]): number {
  const ordered = offers.toSorted((one, other) => other.payCents - one.payCents);
  const rest = ordered.map((_, index) => payOf(ordered.slice(index)));
  let best = 0;
  const visit = (chosen: readonly Offer[], pay: number, index: number) => {
    best = Math.max(best, pay);
    const one = ordered[index];
    if (!one || pay + (rest[index] ?? 0) <= best) return;
    const more = [...chosen, one];
    if (isWithinLimits(book, more)) visit(more, pay + one.payCents, index + 1);
    visit(chosen, pay, index + 1);
  };
  visit([], 0, 0);
  return best;
}

function payOf(offers: readonly Offer[]): number {
  return offers.reduce((sum, { payCents }) => sum + payCents, 0);
}

if (import.meta.main) console.log(benchGreedy(), benchExact());
