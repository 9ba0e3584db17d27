import type { Db } from "../../db/client.ts";
import { listCityHours, type CityHourRow } from "../../db/queries/fleet/cities.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { CityHoursResponse, CitiesSpan } from "../contract/console/fleet.ts";
import type { ConsoleContext } from "./acts.ts";
import {
  COMPARED_WEEKS,
  usualOf,
  findCause,
  findSilence,
  lastInstants,
  SILENCE_HOURS,
  type CityHour,
  type Silence,
} from "./silence.ts";

const SPAN_HOURS: Record<CitiesSpan, number> = { day: 24, week: 7 * 24 };
const WEEK_HOURS = 7 * 24;
/** So many silent cities, and half of all, are one trouble. */
const MANY_CITIES = 3;
const MANY_SHARE = 0.5;

/** A city that is silent. */
export type SilentCity = { city: string; silence: Silence };

/** The last hours of each city in which somebody looked lately, with the same hours of the weeks before. */
async function loadCities(db: Db, count: number, now: EpochMs): Promise<Map<string, CityHour[]>> {
  const running = Math.floor(now / HOUR_MS);
  const hours = Array.from({ length: count }, (_, index) => running - count + 1 + index);
  const weeks = Array.from({ length: COMPARED_WEEKS + 1 }, (_, week) => week * WEEK_HOURS);
  const wanted = new Set(weeks.flatMap((back) => hours.map((hour) => hour - back)));
  const rows = new Map<string, Map<number, CityHourRow>>();
  for (const row of await listCityHours(db, [...wanted])) {
    const known = rows.get(row.city) ?? new Map<number, CityHourRow>();
    rows.set(row.city, known.set(row.hour, row));
  }
  const cities = [...rows].map(([city, known]): [string, CityHour[]] => [
    city,
    hours.map((hour) => ({
      hour,
      now: known.get(hour) ?? null,
      past: weeks.slice(1).map((back) => known.get(hour - back) ?? null),
    })),
  ]);
  return new Map(cities.filter(([, found]) => found.some((hour) => hour.now !== null)));
}

/** The cities in which offers or captures ceased; `isEverywhere` if they are so many that it is one trouble. */
export async function findSilentCities(
  db: Db,
  now: EpochMs,
): Promise<{ silent: SilentCity[]; isEverywhere: boolean }> {
  const cities = [...(await loadCities(db, SILENCE_HOURS, now))];
  const silent = cities.flatMap(([city, hours]) => {
    const silence = findSilence(hours, now);
    return silence ? [{ city, silence }] : [];
  });
  const isEverywhere = silent.length >= MANY_CITIES && silent.length >= cities.length * MANY_SHARE;
  return { silent, isEverywhere };
}

/** Each city's offers and captures within a span, beside those of the same hours in the last weeks. */
export async function showCities({ db, deps }: ConsoleContext, span: CitiesSpan): Promise<CityHoursResponse> {
  const now = deps.now();
  const found = [...(await loadCities(db, SPAN_HOURS[span], now))].map(([city, hours]) => {
    const recent = hours.slice(-SILENCE_HOURS);
    const last = lastInstants(hours);
    const isCapturing = now - last.captureAt < HOUR_MS;
    const since = Math.max(last.captureAt, now - SILENCE_HOURS * HOUR_MS);
    return {
      city,
      silence: findSilence(recent, now),
      cause: isCapturing ? null : findCause(recent, { since, now }),
      lastOfferAt: last.offerAt || null,
      lastCaptureAt: last.captureAt || null,
      hours: hours.map((hour) => describeHour(hour, now)),
    };
  });
  const captures = ({ hours }: (typeof found)[number]) =>
    hours.reduce((total, hour) => total + hour.captures, 0);
  return {
    at: now,
    cities: found.toSorted(
      (one, other) =>
        Number(other.silence !== null) - Number(one.silence !== null) || captures(other) - captures(one),
    ),
  };
}

function describeHour({ hour, now: row, past }: CityHour, now: EpochMs) {
  const at = hour * HOUR_MS;
  const lengthMs = Math.max(Math.min(HOUR_MS, now - at), MINUTE_MS);
  const known = past.filter((one) => one !== null).filter((one) => one.lookedSeconds > 0);
  return {
    at,
    looking: round(((row?.lookedSeconds ?? 0) * 1_000) / lengthMs),
    offers: row?.offers ?? 0,
    matches: row?.matches ?? 0,
    captures: row?.captures ?? 0,
    losses: row?.losses ?? 0,
    answered: row?.answered ?? 0,
    refused: row?.refused ?? 0,
    failed: row?.failed ?? 0,
    softBlocks: row?.softBlocks ?? 0,
    usual:
      known.length === 0
        ? null
        : {
            looking: round(usualOf(known, ({ lookedSeconds }) => lookedSeconds / 3_600)),
            offers: usualOf(known, ({ offers }) => offers),
            matches: usualOf(known, ({ matches }) => matches),
            captures: usualOf(known, ({ captures }) => captures),
            losses: usualOf(known, ({ losses }) => losses),
            answered: usualOf(known, ({ answered }) => answered),
          },
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
