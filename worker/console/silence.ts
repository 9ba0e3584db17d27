import type { CityCounts } from "../../db/shapes/city-counts.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** An hour is compared with the same one of so many weeks before. */
export const COMPARED_WEEKS = 4;

/** A city's counts in an hour, and those of the same hour in the weeks before, of which some may have none. */
export type CityHour = { hour: number; now: CityCounts | null; past: readonly (CityCounts | null)[] };

/**
 * The answer to 'why are there no captures?'. `nobody_looked`: no driver's system called the platform. `refused`: it refused
 * most calls, or hides its offers from some. `nothing_published`: nobody saw an offer, or hardly any. `suspected`: nobody saw
 * one, which many drivers' objects find suspicious, and no past week says how many are usual. `no_match`: the filters wanted
 * none. `others_faster`: every accept came too late. `unknown`: wanted offers were there, and nobody tried one.
 */
export type SilenceCause =
  | "nobody_looked"
  | "refused"
  | "nothing_published"
  | "suspected"
  | "no_match"
  | "others_faster"
  | "unknown";

/**
 * Offers or captures that ceased in a city: since when, and how many the same hours of the last weeks had at least; 0 where
 * only the suspicions of drivers' objects say so.
 */
export type Silence = { what: "offers" | "captures"; since: EpochMs; expected: number; cause: SilenceCause };

/** How many hours back the watch looks for the last offer. */
export const SILENCE_HOURS = 6;

/** A comparison needs this many weeks in which somebody looked. */
const LEAST_WEEKS = 2;
/** So many were there in each of them: fewer can be missing by chance. */
const LEAST_EXPECTED = 8;
/** Where each driver saw less than that in one of them, to see none is nothing new. */
const FEW = 1;
/** Objects report what happened before that, also if they are quiet. Captures are reported sooner. */
const REPORTED_MS = { offers: 16 * MINUTE_MS, captures: 6 * MINUTE_MS };
/** Without a call for so long, nobody looks. */
const LOOKING_MS = 30 * MINUTE_MS;
/** From that share of calls on the platform refuses. */
const REFUSED_SHARE = 0.5;
/** So many suspected soft blocks in two hours are more than one driver's accident. */
const LEAST_SOFT_BLOCKS = 3;
/** An hour counts if somebody looked for this share of it, on average. */
const LOOKED_SHARE = 0.9;
/** Fewer offers than this share of the usual ones are as good as none. */
const HARDLY_ANY = 0.2;

/** Whether offers or captures ceased in a city. `hours` are its last ones, the running one last. */
export function findSilence(hours: readonly CityHour[], now: EpochMs): Silence | null {
  if (now - lastInstants(hours).callAt >= LOOKING_MS) return null;
  for (const what of ["offers", "captures"] as const) {
    const { since, expected } = missingSince(hours, what, now);
    if (expected !== null && expected >= LEAST_EXPECTED)
      return { what, since, expected: Math.round(expected), cause: findCause(hours, { since, now }) };
  }
  return findSoftBlocks(hours, now);
}

/** Since when a city had no offers or captures, and how many the weeks before had at least; null where too few are known. */
function missingSince(hours: readonly CityHour[], what: Silence["what"], now: EpochMs) {
  const last = lastInstants(hours);
  const since = Math.max(what === "offers" ? last.offerAt : last.captureAt, startOf(hours));
  const until = Math.min(last.callAt, now - REPORTED_MS[what]);
  return { since, expected: leastExpected(hours, { what, since, until }) };
}

/**
 * Suspicions of many objects at once need no past weeks where others see offers. Where nobody does, past weeks that are known
 * decide: a city that is quiet each night makes objects suspicious, too.
 */
function findSoftBlocks(hours: readonly CityHour[], now: EpochMs): Silence | null {
  const recent = hours.slice(-2);
  const suspicions = sum(recent, "softBlocks");
  const looking = sum(recent, "lookedSeconds") / (recent.length * 3_600);
  if (suspicions < Math.max(LEAST_SOFT_BLOCKS, looking / 2)) return null;
  const since = Math.min(lastInstants(hours).offerAt || Infinity, startOf(recent));
  const cause = findCause(hours, { since, now });
  if (cause !== "nothing_published") return { what: "offers", since, expected: 0, cause };
  const { expected } = missingSince(hours, "offers", now);
  return expected !== null && expected < FEW
    ? null
    : { what: "offers", since, expected: 0, cause: "suspected" };
}

/** Why nothing was captured since an instant. */
export function findCause(
  hours: readonly CityHour[],
  { since, now }: { since: EpochMs; now: EpochMs },
): SilenceCause {
  const last = lastInstants(hours);
  if (now - last.callAt >= LOOKING_MS) return "nobody_looked";
  const covered = hours.filter(({ hour }) => (hour + 1) * HOUR_MS > since);
  const refused = sum(covered, "refused") + sum(covered, "failed");
  const calls = refused + sum(covered, "answered");
  if (calls > 0 && refused / calls >= REFUSED_SHARE) return "refused";
  const sawOffers = last.offerAt > since + MINUTE_MS;
  const looking = sum(covered, "lookedSeconds") / (covered.length * 3_600);
  const suspicions = sum(covered, "softBlocks");
  if (sawOffers && suspicions >= Math.max(LEAST_SOFT_BLOCKS, looking / 2)) return "refused";
  if (!sawOffers || isHardlyAny(covered, now)) return "nothing_published";
  if (last.matchAt <= since + MINUTE_MS) return "no_match";
  return last.lossAt > since ? "others_faster" : "unknown";
}

/** Whether the whole hours since then had next to none of the offers that the same hours had in each of the last weeks. */
function isHardlyAny(covered: readonly CityHour[], now: EpochMs): boolean {
  const whole = covered.slice(1);
  const [first] = whole;
  if (!first) return false;
  const span = { what: "offers" as const, since: first.hour * HOUR_MS, until: now - REPORTED_MS.offers };
  const usual = leastExpected(whole, span);
  const drivers = sum(whole, "lookedSeconds") / 3_600 / Math.max((now - span.since) / HOUR_MS, 0.1);
  return usual !== null && usual >= 1 && sum(whole, "offers") / Math.max(drivers, 1) < usual * HARDLY_ANY;
}

/**
 * The least that the same span had in one of the last weeks: of offers, those that one driver who looks all the time sees;
 * of captures, those of as many drivers as look now. Null where too few weeks are known.
 */
function leastExpected(
  hours: readonly CityHour[],
  { what, since, until }: { what: "offers" | "captures"; since: EpochMs; until: EpochMs },
): number | null {
  const watched = watchedHours(hours, until);
  const weeks = Array.from({ length: COMPARED_WEEKS }, (_, week) => {
    let expected = 0;
    let isKnown = false;
    for (const { hour, now, past } of watched) {
      const share = overlap(hour, { since, until });
      const then = past[week];
      if (share === 0 || !then || then.lookedSeconds === 0) continue;
      isKnown = true;
      const elapsed = overlap(hour, { since: hour * HOUR_MS, until });
      const lookedNow = Math.min((now?.lookedSeconds ?? 0) / elapsed, then.lookedSeconds);
      const drivers = what === "offers" ? 3_600 : lookedNow;
      expected += share * then[what] * (drivers / then.lookedSeconds);
    }
    return isKnown ? expected : null;
  }).filter((expected) => expected !== null);
  return weeks.length < LEAST_WEEKS ? null : Math.min(...weeks);
}

/** The last hours in a row in which somebody looked all the time: nobody sees an offer while nobody looks. */
function watchedHours(hours: readonly CityHour[], until: EpochMs): readonly CityHour[] {
  const gap = hours.findLastIndex(({ hour, now }) => {
    const elapsed = overlap(hour, { since: hour * HOUR_MS, until });
    return (now?.lookedSeconds ?? 0) < elapsed * 3_600 * LOOKED_SHARE;
  });
  return hours.slice(gap + 1);
}

/** The share of an hour that lies within a span. */
function overlap(hour: number, { since, until }: { since: EpochMs; until: EpochMs }): number {
  const from = Math.max(since, hour * HOUR_MS);
  const to = Math.min(until, (hour + 1) * HOUR_MS);
  return Math.max(0, to - from) / HOUR_MS;
}

function startOf(hours: readonly CityHour[]): EpochMs {
  return (hours[0]?.hour ?? 0) * HOUR_MS;
}

function sum(hours: readonly CityHour[], field: keyof CityCounts): number {
  return hours.reduce((total, { now }) => total + (now?.[field] ?? 0), 0);
}

/** The last instants of a city; 0 where there was none in these hours. */
export function lastInstants(hours: readonly CityHour[]) {
  const latest = (field: "callAt" | "offerAt" | "matchAt" | "captureAt" | "lossAt") =>
    Math.max(0, ...hours.map(({ now }) => now?.[field] ?? 0));
  return {
    callAt: latest("callAt"),
    offerAt: latest("offerAt"),
    matchAt: latest("matchAt"),
    captureAt: latest("captureAt"),
    lossAt: latest("lossAt"),
  };
}

/** The usual figure of an hour: the middle one of its past weeks, the lower of two, so that one bad week doesn't move it. */
export function usualOf<Counts>(weeks: readonly Counts[], of: (counts: Counts) => number): number {
  const values = weeks.map(of).toSorted((one, other) => one - other);
  return values[Math.floor((values.length - 1) / 2)] ?? 0;
}
