import type { Item, WeekPlan } from "../script.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const MORNING = Date.parse("2026-06-08T12:00:00Z");
const TURBO_HOURS = 2;
export const HOURS = 8;

/** A new offer every so often, of which every tenth pays enough. */
export function offers(everyMs: number): Item[] {
  return Array.from({ length: Math.floor((HOURS * HOUR) / everyMs) }, (_, index) => {
    const at = MORNING + index * everyMs + MINUTE;
    return {
      at,
      kind: "offer",
      offer: {
        offerId: `of${index}`,
        warehouse: 0,
        startsAt: at + 50 * MINUTE,
        minutes: 60,
        payCents: index % 10 === 0 ? 9000 : 4000,
        currency: "USD",
        serviceType: "parcel",
        until: at + 5 * MINUTE,
        rivalAt: at + 5 * MINUTE,
      },
    };
  });
}

/** Eight hours a day: two in turbo mode, or as many as are given, and the others in lucrative mode. */
export function planDay(
  items: readonly Item[],
  { turboHours = TURBO_HOURS }: { turboHours?: number } = {},
): WeekPlan {
  const frame: Item[] = [
    { at: MORNING, kind: "filters", minPriceCents: 8000, bufferMinutes: 0, minHourlyCents: 0 },
    { at: MORNING + 1000, kind: "mode", mode: "masacre", wholeFoods: false },
    { at: MORNING + 2000, kind: "switch", on: true },
    { at: MORNING + turboHours * HOUR, kind: "mode", mode: "lucrative", wholeFoods: false },
    { at: MORNING + HOURS * HOUR, kind: "switch", on: false },
  ];
  return {
    seed: 1,
    startsAt: MORNING - 10 * MINUTE,
    endsAt: MORNING + HOURS * HOUR + 5 * MINUTE,
    timeZones: ["America/New_York", "America/New_York", "America/New_York"],
    quota: { kind: "fixed", limit: 300, windowMs: MINUTE },
    refusesOverlaps: true,
    weeklyLimit: null,
    accessTokenSeconds: 3600,
    pollFloorMs: 1000,
    hasPush: true,
    schedule: Array.from({ length: 7 }, () => ({ active: true, start: 0, end: 0 })),
    items: [...frame, ...items].toSorted((one, other) => one.at - other.at),
  };
}
