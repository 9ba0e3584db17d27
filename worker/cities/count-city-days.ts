import { Temporal } from "temporal-polyfill";
import type { CityDay } from "../../db/queries/fleet/cities.ts";
import type { CityHealth, CityState } from "../../db/shapes/city-health.ts";
import { DAY_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** How often a state that lasts is written. D1 bills each row. */
const WRITE_EVERY_MS = 5 * MINUTE_MS;
/** After a longer pause nobody knows what was in between. */
export const LONGEST_GAP_MS = 3 * WRITE_EVERY_MS;

/** The health of a city now. `since` is when its state began, as far as drivers' states say. */
export type FoundHealth = CityHealth & { city: string; timeZone: string; since: EpochMs | null };

const SUM_OF = {
  working: "workingMs",
  slow: "slowMs",
  down: "downMs",
  unknown: null,
} as const satisfies Record<CityState, keyof CityDay | null>;

/** The day of a calendar at an instant, counted from 1970-01-01, and when it began. */
export function cityDayAt(at: EpochMs, timeZone: string): { day: number; startsAt: EpochMs } {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  const date = local.toPlainDate().toString();
  return { day: Date.parse(date) / DAY_MS, startsAt: local.startOfDay().epochMilliseconds };
}

/**
 * Goes on with a city's days.
 * @param last the city's last day; null if it has none
 * @returns the days to write: none while a state lasts that was written lately
 */
export function countCityDay(last: CityDay | null, found: FoundHealth, now: EpochMs): CityDay[] {
  const { city, timeZone, isOurs } = found;
  const shared = [...found.shared];
  const { day, startsAt } = cityDayAt(now, timeZone);
  const fresh = (since: EpochMs): CityDay => ({
    day,
    city,
    timeZone,
    state: found.state,
    since,
    isOurs,
    shared,
    countedAt: now,
    workingMs: 0,
    slowMs: 0,
    downMs: 0,
  });
  if (last === null) return [fresh(now)];
  const isStillUnknown = last.state === "unknown" && found.state === "unknown";
  if (isStillUnknown) return [];
  const isGap = now - last.countedAt > LONGEST_GAP_MS || now < last.countedAt;
  const isSame =
    last.state === found.state && last.isOurs === isOurs && last.shared.join() === shared.join() && !isGap;
  if (isSame && day === last.day && now - last.countedAt < WRITE_EVERY_MS) return [];
  // A state is noticed after it began, and counts from then on; what was written already stays as it is.
  const turn = isSame
    ? now
    : Math.min(now, Math.max(last.countedAt, found.since ?? now, now - 2 * WRITE_EVERY_MS));
  const next = fresh(isSame ? last.since : isGap ? now : turn);
  const before = { ...last };
  if (!isGap) {
    const split = day > last.day ? startsAt : -Infinity;
    const count = (state: CityState, from: EpochMs, to: EpochMs) => {
      const sum = SUM_OF[state];
      if (sum === null) return;
      before[sum] += Math.max(0, Math.min(to, split) - from);
      next[sum] += Math.max(0, to - Math.max(from, split));
    };
    count(last.state, last.countedAt, turn);
    count(found.state, turn, now);
  }
  // A city whose zone moved to the west lives through the end of a day twice: it goes on in the later one.
  if (day > last.day)
    return [{ ...before, countedAt: Math.max(last.countedAt, Math.min(now, startsAt)) }, next];
  return [
    {
      ...next,
      day: last.day,
      workingMs: last.workingMs + next.workingMs,
      slowMs: last.slowMs + next.slowMs,
      downMs: last.downMs + next.downMs,
    },
  ];
}
