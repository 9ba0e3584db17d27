import { createChance, digest, pick } from "../chance.ts";
import type { EpochMs, Offer, State } from "../state.ts";
import { WAREHOUSES } from "./cities.ts";
import type { Warehouse } from "./cities.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Offers are generated per time slot, from the seed, the region and the slot alone. */
const SLOT_MS = 5 * SECOND;
const BURSTS_PER_SLOT = 0.25;
const LONGEST_LIFE_MS = 4 * MINUTE;
const LEAST_LEAD_MS = 30 * MINUTE;
const GREATEST_LEAD_MS = 48 * HOUR;

const LENGTHS = [60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 360] as const;
const FAVOURED = new Set<number>([120, 180, 210, 240]);

/** Generates a region's offers up to now. Runs on reads, so an idle sandbox does nothing. */
export function generateOffers(state: State, regionId: string, now: EpochMs): void {
  const { generate, seed, tempo } = state.settings.get();
  const slot = Math.floor(now / SLOT_MS);
  const done = state.cursors.get(regionId) ?? 0;
  if (slot <= done) return;
  state.cursors.set(regionId, slot);
  if (!generate) return;
  // Offers from before the longest lifetime have expired, so they are not generated.
  const first = Math.max(done + 1, slot - Math.ceil(LONGEST_LIFE_MS / SLOT_MS));
  for (let index = first; index <= slot; index++) {
    for (const offer of dropsIn({ seed, regionId, slot: index, tempo })) {
      if (offer.expiresAt > now && !state.offers.get(offer.offerId)) state.offers.set(offer.offerId, offer);
    }
  }
}

/** The offers that drop in one slot. */
export function dropsIn(place: { seed: number; regionId: string; slot: number; tempo: number }): Offer[] {
  const name = `${place.seed}:${place.regionId}:${place.slot}`;
  const chance = createChance(name);
  const bursts = Math.floor(BURSTS_PER_SLOT * place.tempo + chance());
  const warehouses = WAREHOUSES.filter(({ regionId }) => regionId === place.regionId);
  return Array.from({ length: bursts }, () => {
    const warehouse = pick(chance(), warehouses, ({ weight }) => weight);
    const publishedAt = place.slot * SLOT_MS + Math.floor(chance() * SLOT_MS);
    const count = 1 + Math.floor(chance() ** 2 * 5);
    return Array.from({ length: count }, () => ({ warehouse, publishedAt }));
  })
    .flat()
    .map((drop, index) => describeOffer({ offerId: `of_${digest(`${name}:${index}`)}`, ...drop, chance }));
}

function describeOffer(drop: {
  offerId: string;
  warehouse: Warehouse;
  publishedAt: EpochMs;
  chance: () => number;
}): Offer {
  const { offerId, warehouse, publishedAt, chance } = drop;
  const minutes = pick(chance(), LENGTHS, (length) => (FAVOURED.has(length) ? 4 : 1));
  const startsAt = pickStart(warehouse.timeZone, publishedAt, chance);
  const surge = chance() < 0.15;
  const hourlyCents = surge ? 3000 + chance() * 1500 : 1800 + chance() ** 2 * 1100;
  const payCents = toHalfDollars((hourlyCents * minutes) / 60);
  const life = 30 * SECOND + Math.floor(chance() * (LONGEST_LIFE_MS - 30 * SECOND));
  const riseAt = publishedAt + Math.floor(life * (0.3 + chance() * 0.5));
  const dearer = Math.min(
    toHalfDollars(payCents * (1.05 + chance() * 0.2)),
    toHalfDollars((4500 * minutes) / 60),
  );
  return {
    offerId,
    warehouseId: warehouse.warehouseId,
    serviceType: warehouse.serviceType,
    startsAt,
    endsAt: startsAt + minutes * MINUTE,
    payCents,
    surge,
    publishedAt,
    expiresAt: publishedAt + life,
    rises: chance() < 0.25 ? [{ at: riseAt, payCents: dearer }] : [],
    rivalAt: chance() < 0.4 ? publishedAt + 4 * SECOND + Math.floor(chance() * 20 * SECOND) : null,
    roll: chance(),
  };
}

/** A start on the quarter hour within the lead time, rarely at night. */
function pickStart(timeZone: string, publishedAt: EpochMs, chance: () => number): EpochMs {
  const quarter = 15 * MINUTE;
  const draw = () => {
    const lead = LEAST_LEAD_MS + chance() ** 1.5 * (GREATEST_LEAD_MS - LEAST_LEAD_MS);
    return Math.min(
      Math.ceil((publishedAt + lead) / quarter) * quarter,
      Math.floor((publishedAt + GREATEST_LEAD_MS) / quarter) * quarter,
    );
  };
  let startsAt = draw();
  for (let tries = 0; tries < 4 && isNight(timeZone, startsAt); tries++) startsAt = draw();
  return startsAt;
}

function isNight(timeZone: string, at: EpochMs): boolean {
  const hour = Number(hourIn(timeZone).format(at));
  return hour < 4 || hour >= 22;
}

const hours = new Map<string, Intl.DateTimeFormat>();

function hourIn(timeZone: string): Intl.DateTimeFormat {
  const known = hours.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", { timeZone, hour: "2-digit", hourCycle: "h23" });
  hours.set(timeZone, made);
  return made;
}

function toHalfDollars(cents: number): number {
  return Math.round(cents / 50) * 50;
}
