import { judgeOffer } from "../../durable/engine/verdicts/match.ts";
import { openLimitBook } from "../../durable/engine/verdicts/limit-book.ts";
import { compileFilters } from "../../durable/engine/verdicts/compiled-filters.ts";
import { MAX_EXTRA_RULES } from "../../db/shapes/work/filters.ts";
import type { Offer, Warehouse } from "../../db/shapes/work/offer.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import {
  clock,
  idOf,
  makeBlock,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  makeWarehouse,
  NOON,
  week,
  matchContext,
} from "../engine/fixtures.ts";

const ZONES = ["America/New_York", "America/Chicago", "America/Los_Angeles", "America/Phoenix"];
const OFFERS = 200;
const WAREHOUSES = 10;
const ROUNDS = 20_000;

/** Ten warehouses in four time zones, eight of them selected, each with its own filters. */
function makeRules(): { profile: Profile; warehouses: Warehouse[] } {
  const names = Array.from({ length: WAREHOUSES }, (_, index) => idOf.warehouse(`W${index}`));
  const warehouses = names.map((warehouseId, index) =>
    makeWarehouse({ warehouseId, timeZone: ZONES[index % ZONES.length] ?? "UTC" }),
  );
  const warehouseFilters = names.map((warehouseId, index) =>
    makeWarehouseFilter({
      warehouseId,
      selected: index < 8,
      minPriceCents: 4000 + 500 * index,
      bufferMinutes: 15 * (index % 4),
      minHourlyCents: 1800 + 100 * index,
      onlyHourly: index % 5 === 0,
    }),
  );
  const schedule = week(clock("06:00"), clock("02:00"), [1, 2, 3, 4, 5, 6]);
  const filters = makeFilters({ minHourlyCents: 2000, schedule, warehouses: warehouseFilters });
  return { profile: makeProfile({ filters }), warehouses };
}

/** Two hundred offers within two days: about a third match, the rest fail at least one filter. */
function makeOffers(): Offer[] {
  return Array.from({ length: OFFERS }, (_, index) => {
    const startsAt = NOON + ((index * 37) % (48 * 4)) * 15 * MINUTE_MS;
    return makeOffer(`offer-${index}`, {
      warehouseId: idOf.warehouse(`W${(index * 7) % WAREHOUSES}`),
      startsAt,
      endsAt: startsAt + (2 + (index % 4)) * HOUR_MS,
      payCents: 4000 + ((index * 613) % 10_000),
      expiresAt: startsAt + (index % 50 === 0 ? -50 * HOUR_MS : 0),
    });
  });
}

/** The same with four further rules for each warehouse, all limits and a vacation. */
function makeFullRules(): { profile: Profile; warehouses: Warehouse[] } {
  const { profile, warehouses } = makeRules();
  const further = (index: number) =>
    Array.from({ length: MAX_EXTRA_RULES }, (_, place) =>
      makeExtraRule({
        ruleId: `r${place}`,
        minPriceCents: 5000 + 900 * place + 100 * index,
        minHourlyCents: 1500 + 400 * place,
        bufferMinutes: 30 * place,
        hours:
          place % 2 === 0 ? null : { days: [place, place + 3], start: clock("08:00"), end: clock("20:00") },
      }),
    );
  const filters = {
    ...profile.filters,
    warehouses: profile.filters.warehouses.map((each, index) => ({ ...each, extraRules: further(index) })),
    limits: {
      blocksPerDay: 2,
      minutesPerDay: 480,
      minutesPerWeek: 2400,
      restMinutes: 30,
      travelMinutes: 60,
      weekGoalCents: 90_000,
    },
    dates: [{ kind: "off" as const, from: "2026-07-01", to: "2026-07-14" }],
  };
  return { profile: { ...profile, filters }, warehouses };
}

export type VerdictRate = { name: string; perSecond: number; matching: number };

/** Measures verdicts per second on one core, with ten warehouses, two hundred offers and three held blocks. */
export function benchVerdicts(): VerdictRate {
  return measure("verdicts", makeRules());
}

/** With five rules for each warehouse and all limits. */
export function benchFullVerdicts(): VerdictRate {
  return measure("verdicts with five rules and all limits", makeFullRules());
}

function measure(
  name: string,
  { profile, warehouses }: { profile: Profile; warehouses: Warehouse[] },
): VerdictRate {
  const compiled = compileFilters(profile, warehouses);
  const offers = makeOffers();
  const busy = [10, 26, 40].map((hours) =>
    makeBlock(makeOffer(`held-${hours}`, { startsAt: NOON + hours * HOUR_MS })),
  );
  const context = { ...matchContext(compiled, NOON), busy, book: openLimitBook(compiled, busy, "USD") };
  const judge = () =>
    offers.reduce((sum, offer) => sum + Number(judgeOffer(offer, context).reasons.length === 0), 0);
  for (let round = 0; round < ROUNDS / 10; round += 1) judge();
  const startedAt = performance.now();
  let matches = 0;
  for (let round = 0; round < ROUNDS; round += 1) matches += judge();
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name,
    perSecond: Math.round((ROUNDS * OFFERS) / seconds),
    matching: matches / (ROUNDS * OFFERS),
  };
}

if (import.meta.main) console.log(benchVerdicts(), benchFullVerdicts());
