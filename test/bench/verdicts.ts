import { matchOffer } from "../../durable/engine/match.ts";
import { compileFilters } from "../../durable/engine/compiled-filters.ts";
import type { Offer, Warehouse } from "../../db/shapes/work/offer.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import {
  clock,
  idOf,
  makeBlock,
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

/** Measures verdicts per second on one core, with ten warehouses, two hundred offers and three held blocks. */
export function benchVerdicts(): { name: string; perSecond: number; matching: number } {
  const { profile, warehouses } = makeRules();
  const compiled = compileFilters(profile, warehouses);
  const offers = makeOffers();
  const busy = [10, 26, 40].map((hours) =>
    makeBlock(makeOffer(`held-${hours}`, { startsAt: NOON + hours * HOUR_MS })),
  );
  const context = matchContext(compiled, NOON);
  const judge = () =>
    offers.reduce((sum, offer) => sum + Number(matchOffer(offer, { ...context, busy }).length === 0), 0);
  for (let round = 0; round < ROUNDS / 10; round += 1) judge();
  const startedAt = performance.now();
  let matches = 0;
  for (let round = 0; round < ROUNDS; round += 1) matches += judge();
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name: "verdicts",
    perSecond: Math.round((ROUNDS * OFFERS) / seconds),
    matching: matches / (ROUNDS * OFFERS),
  };
}

if (import.meta.main) console.log(benchVerdicts());
