import type { Block } from "../../../db/shapes/work/offer.ts";
import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { dayKey, formatDate, formatNarrowWeekday } from "../language/format.ts";

/** A calendar day with the blocks that start on it, earliest first. */
export type DayOfBlocks = { key: string; name: string; narrowName: string; blocks: Block[] };

/**
 * Groups blocks by the day on which they start in a time zone: a number of days from an instant on, also those without
 * blocks, and the days of later blocks. A block that is under way counts to the first day.
 */
export function blocksByDay(
  blocks: readonly Block[],
  { timeZone, from, days }: { timeZone: string; from: EpochMs; days: number },
): DayOfBlocks[] {
  const byDay = new Map<string, DayOfBlocks>();
  const dayOf = (at: EpochMs) => {
    const key = dayKey(at, timeZone);
    const known = byDay.get(key);
    if (known) return known;
    const day = {
      key,
      name: formatDate(at, timeZone),
      narrowName: formatNarrowWeekday(at, timeZone),
      blocks: [],
    };
    byDay.set(key, day);
    return day;
  };
  // In steps that no day is too short for: two instants of one day are the same entry.
  for (let at = from; byDay.size < days; at += DAY_MS / 2) dayOf(at);
  for (const block of blocks.toSorted((one, other) => one.startsAt - other.startsAt))
    dayOf(Math.max(from, block.startsAt)).blocks.push(block);
  return [...byDay.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

const WEEK_DAYS = 7;

/** Today and the six days after it, without blocks that are held for later. */
export function weekOfBlocks(
  blocks: readonly Block[],
  { timeZone, from }: { timeZone: string; from: EpochMs },
): DayOfBlocks[] {
  return blocksByDay(blocks, { timeZone, from, days: WEEK_DAYS }).slice(0, WEEK_DAYS);
}
