import { createChance, type Chance } from "../chance.ts";
import type { Item, OfferSpec, WeekPlan } from "../script.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Half past six in the evening in New York. */
export const FLEET_STARTS_AT = Date.parse("2026-06-10T22:30:00Z");
/** Digests leave between these. */
export const EVENING_FROM = Date.parse("2026-06-11T00:00:00Z");
export const EVENING_TO = Date.parse("2026-06-11T00:30:00Z");
const ENDS_AT = EVENING_TO + 10 * MINUTE;
const ON_AT = FLEET_STARTS_AT + 5 * MINUTE;
const OFF_AT = EVENING_FROM - 5 * MINUTE;

/** The deployment's: a ceiling that the texts of quiet drivers stay far below, and storms would not. */
export const FLEET_TEXTS = { TEXTS_PER_DRIVER: "20", TEXTS_TO_DRIVERS: "50/100" } as const;
/** More than a day's texts, so that an evening's digest tells of the rest. */
const MANY_CAPTURES = 50;

/** A driver of the fleet, and whether nothing goes wrong for them. */
export type FleetDriver = { plan: WeekPlan; phoneNumber: string; isCalm: boolean };

/** Drivers of one deployment on one evening: three with storms of news, and one to whom little happens. */
export function planFleet(seed: number): FleetDriver[] {
  const chance = createChance(seed, "fleet");
  const drivers = [
    { items: disputes("accepts", chance), isCalm: false },
    { items: disputes("polls", chance), isCalm: false },
    { items: offers(MANY_CAPTURES, chance), isCalm: false },
    { items: [...offers(6, chance), selfie(ON_AT + 40 * MINUTE, chance)], isCalm: true },
  ];
  return drivers.map(({ items, isCalm }, index) => ({
    plan: planOf(10 * seed + index, items),
    phoneNumber: `+1555010020${index}`,
    isCalm,
  }));
}

function planOf(seed: number, items: readonly Item[]): WeekPlan {
  const frame: Item[] = [
    { at: ON_AT, kind: "switch", on: true },
    { at: OFF_AT, kind: "switch", on: false },
  ];
  return {
    seed,
    startsAt: FLEET_STARTS_AT,
    endsAt: ENDS_AT,
    timeZones: ["America/New_York", "America/New_York"],
    quota: { kind: "none", limit: 1, windowMs: MINUTE },
    refusesOverlaps: true,
    weeklyLimit: null,
    accessTokenSeconds: 3600,
    pollFloorMs: 1_000,
    hasPush: true,
    schedule: Array.from({ length: 7 }, () => ({ active: true, start: 0, end: 0 })),
    items: [...frame, ...items].toSorted((one, other) => one.at - other.at),
  };
}

/** The platform asks for a selfie and says that none is needed, again and again; the object is lost now and then. */
function disputes(of: "polls" | "accepts", chance: Chance): Item[] {
  const items = offers(5, chance);
  for (let at = ON_AT + MINUTE; at < OFF_AT - MINUTE; at += chance.between(60, 150) * SECOND) {
    items.push({ at, kind: "disputed selfie", of, forMs: chance.between(10, 50) * SECOND });
    if (chance.is(0.2)) items.push({ at: at + 5 * SECOND, kind: "crash", moment: "now", step: "any" });
    if (chance.is(0.3)) items.push(selfie(at + 52 * SECOND, chance));
  }
  return items;
}

function selfie(at: number, chance: Chance): Item {
  return { at, kind: "selfie", forMs: chance.between(4, 8) * SECOND };
}

/** Offers for later hours, none of which overlap, spread over the time. */
function offers(count: number, chance: Chance): Item[] {
  const everyMs = Math.floor((OFF_AT - ON_AT - 5 * MINUTE) / count);
  return Array.from({ length: count }, (_one, index): Item => {
    const at = ON_AT + MINUTE + index * everyMs + chance.between(0, 5) * SECOND;
    const offer: OfferSpec = {
      offerId: `off_${index}`,
      warehouse: 0,
      startsAt: FLEET_STARTS_AT + 4 * HOUR + index * 30 * MINUTE,
      minutes: 30,
      payCents: 9_001 + 13 * index,
      currency: "USD",
      serviceType: "parcel",
      until: at + 100 * SECOND,
      rivalAt: null,
    };
    return { at, kind: "offer", offer };
  });
}
