import type { CityCounts } from "../../../db/shapes/city-counts.ts";
import { emptyTally, type FleetState, type Tally } from "../../../db/shapes/fleet.ts";
import { DAY_MS, HOUR_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { createChance } from "../../sandbox/chance.ts";
import { REGIONS } from "../../sandbox/platform/cities.ts";
import { MADE_UP_DRIVERS } from "./made-up-drivers.ts";

/** The counts of one city's drivers in one hour. */
export type CityHour = {
  hour: number;
  city: string;
  /** Offers that the platform published, those that somebody's filters matched, and how many drivers were looking. */
  offers: number;
  matches: number;
  looking: number;
  tally: Tally;
};

/** A trouble of these weeks: the platform was down for everybody, or one city fell silent. */
export type Trouble = { kind: "outage" | "silence"; city: string | null; from: EpochMs; to: EpochMs };

const WEEKS_MS = 21 * DAY_MS;
/** The demonstration goes on for a day after its start. */
const AHEAD_MS = DAY_MS;
/** A poll every three seconds, as in the mode `lucrative`. */
const POLLS_AN_HOUR = 1_200;

/** How busy an hour of a city's day is, from midnight on: mornings and late afternoons. */
const DAY_CURVE = [
  0.05, 0.03, 0.02, 0.08, 0.3, 0.55, 0.7, 0.65, 0.5, 0.45, 0.5, 0.6, 0.7, 0.75, 0.85, 1, 0.95, 0.8, 0.6, 0.45,
  0.3, 0.2, 0.12, 0.08,
];
/** Sunday first: offers are most on Saturdays. */
const WEEK_CURVE = [1.15, 0.85, 0.9, 0.95, 1, 1.1, 1.3];
/** The share of a city's offers that are at a driver's warehouses. */
const SEEN_SHARE = 0.6;
/** How large a city's market is. */
const CITY_SIZES = [1.25, 1.1, 0.9, 0.75];

/** The ends of the silence, in hours of the day in UTC: one of both lies in the last day, whenever that ends. */
const SILENCE_ENDS = [18, 24];
const SILENCE_MS = 3 * HOUR_MS;

/**
 * The outage of eight days ago, and a silence of the last day that has been over for an hour: both in hours in which
 * much happens.
 */
export function troublesBefore(now: EpochMs): Trouble[] {
  const dayStart = Math.floor(now / DAY_MS) * DAY_MS;
  const outage = dayStart - 8 * DAY_MS + 20 * HOUR_MS;
  const ends = [-DAY_MS, 0].flatMap((day) => SILENCE_ENDS.map((hour) => dayStart + day + hour * HOUR_MS));
  const silence = Math.max(...ends.filter((end) => end <= now - HOUR_MS)) - SILENCE_MS;
  return [
    { kind: "outage", city: null, from: outage, to: outage + 2 * HOUR_MS },
    { kind: "silence", city: REGIONS[2]?.name ?? "", from: silence, to: silence + SILENCE_MS },
  ];
}

/** Every hour of the last three weeks and of the day ahead, for each city. */
export function cityHours(now: EpochMs): CityHour[] {
  const troubles = troublesBefore(now);
  const first = Math.floor((now - WEEKS_MS) / HOUR_MS);
  const hours = Array.from({ length: (WEEKS_MS + AHEAD_MS) / HOUR_MS }, (_, index) => first + index);
  return REGIONS.flatMap(({ name: city, timeZone }, region) => {
    const chance = createChance(`hours of ${city}`);
    const drivers = MADE_UP_DRIVERS.filter((driver) => driver.city === city).length;
    return hours.map((hour): CityHour => {
      const at = hour * HOUR_MS;
      const trouble = troubles.find(
        ({ city: of, from, to }) => (of === null || of === city) && at >= from && at < to,
      );
      const busy = busyness(at, timeZone) * (CITY_SIZES[region] ?? 1) * (0.85 + chance() * 0.3);
      return countHour(
        { hour, city, busy, looking: Math.round(drivers * (0.35 + 0.4 * Math.min(1, busy))) },
        trouble,
        chance,
      );
    });
  });
}

/** An hour as the product counts it by city. Each driver who looks sees the offers of their own warehouses. */
export function cityCountsOf({ hour, offers, matches, looking, tally }: CityHour): CityCounts {
  const lookedSeconds = tally.answered > 0 ? looking * 3_600 : 0;
  const at = (count: number) => (count > 0 ? (hour + 1) * HOUR_MS - 1 : 0);
  const { captures, losses, answered, limited: refused } = tally;
  const failed = tally.failed + tally.timedOut;
  const seen = Math.round(offers * looking * SEEN_SHARE);
  return {
    lookedSeconds,
    offers: seen,
    matches,
    captures,
    losses,
    answered,
    refused,
    failed,
    softBlocks: 0,
    callAt: at(answered + refused + failed),
    offerAt: at(seen),
    matchAt: at(matches),
    captureAt: at(captures),
    lossAt: at(losses),
  };
}

/** How many drivers were in each state, by quarters of an hour. */
export type StateCount = { quarter: number; state: FleetState; drivers: number };

const QUARTERS_AN_HOUR = 4;

/** The same weeks by states: who isn't looking is asleep, and in an outage nobody who looks gets an answer. */
export function stateCounts(hours: readonly CityHour[], now: EpochMs): StateCount[] {
  const stopped = Map.groupBy(
    MADE_UP_DRIVERS.filter(({ state }) => STOPPED.has(state)),
    ({ state }) => state,
  );
  const stoppedDrivers = [...stopped.values()].flat().length;
  const [outage] = troublesBefore(now);
  return [...Map.groupBy(hours, ({ hour }) => hour)].flatMap(([hour, cities]) => {
    const at = hour * HOUR_MS;
    const isDown = outage !== undefined && at >= outage.from && at < outage.to;
    const looking = Math.min(
      MADE_UP_DRIVERS.length - stoppedDrivers,
      cities.reduce((sum, city) => sum + city.looking, 0),
    );
    const counts: Omit<StateCount, "quarter">[] = [
      { state: isDown ? "unreachable" : "polling", drivers: looking },
      { state: "asleep", drivers: MADE_UP_DRIVERS.length - stoppedDrivers - looking },
      ...[...stopped].map(([state, drivers]) => ({ state, drivers: drivers.length })),
    ];
    const isRecent = at > now - DAY_MS - HOUR_MS;
    return Array.from({ length: isRecent ? QUARTERS_AN_HOUR : 1 }, (_, index) =>
      counts.map((count) => ({ quarter: hour * QUARTERS_AN_HOUR + index, ...count })),
    ).flat();
  });
}

const STOPPED: ReadonlySet<FleetState> = new Set([
  "no_service",
  "signed_out",
  "verification_required",
  "not_linked",
  "off",
]);

function busyness(at: EpochMs, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hour: "2-digit",
    weekday: "short",
    hourCycle: "h23",
  });
  const found = new Map(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  const weekday = "SunMonTueWedThuFriSat".indexOf(found.get("weekday") ?? "Sun") / 3;
  return (DAY_CURVE[Number(found.get("hour"))] ?? 0) * (WEEK_CURVE[weekday] ?? 1);
}

function countHour(
  { hour, city, busy, looking }: Pick<CityHour, "hour" | "city" | "looking"> & { busy: number },
  trouble: Trouble | undefined,
  chance: () => number,
): CityHour {
  const tally = emptyTally();
  const calls = looking * POLLS_AN_HOUR;
  if (trouble?.kind === "outage") {
    // Drivers back off to one call a minute.
    tally.failed = looking * 52;
    tally.timedOut = looking * 6;
    tally.late50 = looking * 58;
    return { hour, city, looking, offers: 0, matches: 0, tally };
  }
  const offers = trouble ? 0 : Math.round(busy * 150);
  const matches = Math.round(offers * (0.16 + chance() * 0.06));
  tally.captures = Math.round(matches * (0.5 + chance() * 0.15));
  tally.losses = matches - tally.captures;
  tally.limited = Math.round(calls * 0.0008 * chance());
  tally.failed = Math.round(calls * 0.0006 * chance());
  tally.timedOut = Math.round(calls * 0.0003 * chance());
  tally.answered = calls - tally.limited - tally.failed - tally.timedOut;
  tally.late100 = Math.round(calls * (0.03 + 0.02 * chance()));
  tally.late250 = Math.round(calls * 0.004);
  tally.late500 = Math.round(calls * 0.0007);
  tally.late1000 = Math.round(calls * 0.0001);
  tally.late50 = calls - tally.late100 - tally.late250 - tally.late500 - tally.late1000;
  return { hour, city, looking, offers, matches, tally };
}
