import { createChance, type Chance } from "./chance.ts";
import { ScriptWriter } from "./script-writer.ts";
import type { Scene } from "./scenes.ts";
import type { Item, WeekPlan } from "./script.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** After the last stretch, long enough for every offer to have started. */
const TAIL_MS = 4 * HOUR;
/** A ticker is lost as often, in a week in which one calls the object. */
const TICKER_ENDS = 5;
/** More entries of the timeline than the busiest long stretch needs. */
const MAX_ENTRIES_A_DAY = 400_000;

const ZONES = [
  "America/New_York",
  "America/Los_Angeles",
  "America/Chicago",
  "America/Sao_Paulo",
  "Europe/Madrid",
];
/** Sundays on which a clock changes somewhere, and one on which none does. */
const WEEKS = [
  "2026-03-08",
  "2026-11-01",
  "2027-03-14",
  "2026-03-29",
  "2026-10-25",
  "2026-06-14",
  "2026-08-02",
];

/** One week of so many has rules that ask first. */
const ASKS_EVERY = 8;
/** One of so many has limits. */
const LIMITS_EVERY = 8;

/**
 * A week as its seed decides: a few busy stretches, much idle time between them. With a scene, all play that one; with `asks`,
 * the driver is asked in all; with `isLimited`, there are limits in all.
 */
export function generateWeek(
  seed: number,
  {
    scene = null,
    asks = false,
    isLimited = false,
  }: { scene?: Scene | null; asks?: boolean; isLimited?: boolean } = {},
): WeekPlan {
  const chance = createChance(seed, "plan");
  const { startsAt, timeZones } = createFrame(chance);
  const isNight = chance.is(0.4);
  const start = isNight ? chance.between(0, 3 * 60) : chance.between(0, 1439);
  const end = (start + chance.between(90, 300)) % 1440;
  const schedule = Array.from({ length: 7 }, () => ({ active: chance.is(0.9), start, end }));
  const quotaKind = chance.pick(["none", "none", "fixed", "sliding"] as const);
  const windowMs = chance.pick([60, 60, 60, 120, 600]) * SECOND;
  const writer = new ScriptWriter(chance, {
    startsAt,
    zone: timeZones[0] ?? "UTC",
    start,
    length: (end - start + 1440) % 1440,
    scene,
  });
  for (let day = 0; day < 7; day += 1) {
    if (chance.is(0.5)) writer.addStretch(day);
  }
  if (writer.items.length === 0) writer.addStretch(1);
  const items = writer.items.toSorted((one, other) => one.at - other.at);
  const last = items.at(-1)?.at ?? startsAt;
  return {
    seed,
    startsAt,
    endsAt: Math.max(last, writer.busyUntil) + TAIL_MS,
    timeZones,
    quota: { kind: quotaKind, limit: Math.ceil(windowMs / SECOND / chance.pick([2, 4, 6, 60])), windowMs },
    refusesOverlaps: chance.is(0.5),
    weeklyLimit: chance.is(0.15) ? chance.between(2, 5) : null,
    accessTokenSeconds: chance.pick([60, 300, 900, 3600, 3600]),
    pollFloorMs: 1000,
    hasPush: chance.is(0.15),
    schedule,
    items,
    ...planTicker(seed, items),
    asks: asks || createChance(seed, "asking").is(1 / ASKS_EVERY),
    ...planLimits(seed, isLimited),
  };
}

/** Limits so low that a busy stretch reaches them. */
function planLimits(seed: number, isLimited: boolean): Pick<WeekPlan, "limits"> {
  const chance = createChance(seed, "limits");
  if (!chance.is(1 / LIMITS_EVERY) && !isLimited) return {};
  const one = <Figure>(probability: number, figures: readonly Figure[]): Figure | null =>
    chance.is(probability) ? chance.pick(figures) : null;
  return {
    limits: {
      blocksPerDay: one(0.5, [1, 2, 3]),
      minutesPerDay: one(0.4, [180, 300, 480]),
      minutesPerWeek: one(0.4, [240, 480, 900]),
      restMinutes: one(0.3, [15, 60, 120]),
      travelMinutes: one(0.3, [15, 60, 120]),
      weekGoalCents: one(0.3, [5_000, 20_000, 40_000]),
    },
  };
}

/** Whole weeks of the longest kind, or this many of their days. */
export const LONG_DAYS = 7;
/** The polls that a long week has at least. */
export const LONG_POLLS = 20_000;

/**
 * As many polls as a real driver's busy day has, at least: an hour and a half of turbo mode a day, whatever goes wrong
 * meanwhile. With a day less or six, as much of it.
 */
export function generateLongWeek(seed: number, days = LONG_DAYS): WeekPlan {
  const chance = createChance(seed, "long plan");
  const { startsAt, timeZones } = createFrame(chance);
  const kind = chance.pick(["none", "fixed", "sliding"] as const);
  const zone = timeZones[0] ?? "UTC";
  const writer = new ScriptWriter(chance, { startsAt, zone, start: 0, length: 1440, scene: null });
  for (let day = 0; day < days; day += 1) writer.addLongStretch(day);
  const items = writer.items.toSorted((one, other) => one.at - other.at);
  return {
    seed,
    startsAt,
    endsAt: Math.max(items.at(-1)?.at ?? startsAt, writer.busyUntil) + TAIL_MS,
    timeZones,
    quota: { kind, limit: chance.pick([100, 300]), windowMs: MINUTE },
    refusesOverlaps: chance.is(0.5),
    weeklyLimit: null,
    accessTokenSeconds: chance.pick([300, 900, 3600]),
    pollFloorMs: 1000,
    hasPush: chance.is(0.5),
    schedule: Array.from({ length: 7 }, () => ({ active: true, start: 0, end: 0 })),
    items,
    ...planTicker(seed, items),
    maxEntries: days * MAX_ENTRIES_A_DAY,
  };
}

/** In half of the weeks a ticker calls the object; it is lost near some of the script's items. */
function planTicker(seed: number, items: readonly Item[]): Pick<WeekPlan, "tickerEnds"> {
  const chance = createChance(seed, "ticker");
  if (chance.is(0.5)) return {};
  const ends = Array.from({ length: TICKER_ENDS }, () => chance.pick(items).at + chance.between(0, MINUTE));
  return { tickerEnds: ends.toSorted((one, other) => one - other) };
}

function createFrame(chance: Chance): Pick<WeekPlan, "startsAt" | "timeZones"> {
  const startsAt = Date.parse(`${chance.pick(WEEKS)}T00:00:00Z`) - chance.between(0, 3) * DAY;
  return { startsAt, timeZones: [chance.pick(ZONES), chance.pick(ZONES), chance.pick(ZONES)] };
}
