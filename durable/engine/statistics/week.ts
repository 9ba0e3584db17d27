import { DAY_MS, MINUTE_MS, type EpochMs, type Period } from "../../../db/shapes/units.ts";
import { dateOfDay, dayOfDate, weekdayOf, type LocalDate } from "../../../db/shapes/work/local-date.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { WeekFigures } from "../../../db/shapes/work/week.ts";
import { createZone, dayOf } from "../schedule/zone.ts";

/** How many days the log goes back: weeks that begin before are not told. */
const LOG_DAYS = 30;

/** The Monday of the week of an instant, on a clock of the zone. */
export function mondayAt(at: EpochMs, timeZone: string): LocalDate {
  return mondayOf(dayOf(createZone(timeZone).wallAt(at)));
}

function mondayOf(day: number): LocalDate {
  return dateOfDay(day + 1 - weekdayOf(day));
}

/** The Monday so many weeks later, or earlier. */
export function weeksAfter(monday: LocalDate, weeks: number): LocalDate {
  return dateOfDay(dayOfDate(monday) + 7 * weeks);
}

/** The week that a date is in, from Monday's to Monday's first instant on a clock of the zone. */
export function weekOf(date: LocalDate, timeZone: string): Period & { monday: LocalDate } {
  const zone = createZone(timeZone);
  const monday = mondayOf(dayOfDate(date));
  const startOf = (day: LocalDate) => zone.instantOf(dayOfDate(day) * DAY_MS, "opening");
  return { monday, from: startOf(monday), to: startOf(weeksAfter(monday, 1)) };
}

/** The Mondays of the weeks that the log has whole, and of the present one, the newest first. */
export function mondaysInLog(now: EpochMs, timeZone: string): LocalDate[] {
  const zone = createZone(timeZone);
  const today = dayOf(zone.wallAt(now));
  const newest = mondayOf(today);
  const mondays = Array.from({ length: LOG_DAYS }, (_, weeks) => weeksAfter(newest, -weeks));
  return mondays.filter((monday) => today - dayOfDate(monday) < LOG_DAYS);
}

/**
 * Adds up a week, in one currency. A captured block counts in the week of its capture, a worked one in that of its start, once
 * it is over. One that was given back counts as captured, and adds no pay. Work of the same hours at the same warehouse is one
 * block: the platform may have named it by its offer once.
 */
export function addUpWeek(
  { captured, held }: { captured: readonly Block[]; held: readonly Block[] },
  { week: { from, to }, now, currency }: { week: Period; now: EpochMs; currency: string },
): WeekFigures {
  const isIn = (at: EpochMs) => at >= from && at < to;
  const won = captured.filter((block) => block.currency === currency && isIn(block.acceptedAt));
  const over = held.filter(
    (block) => block.currency === currency && isPaid(block) && isIn(block.startsAt) && block.endsAt <= now,
  );
  const placeAndHours = ({ warehouseId, startsAt, endsAt }: Block) => `${warehouseId} ${startsAt} ${endsAt}`;
  const worked = [...new Map(over.map((block) => [placeAndHours(block), block])).values()];
  return {
    captured: { blocks: won.length, payCents: payOf(won.filter(isPaid)) },
    worked: {
      blocks: worked.length,
      minutes: worked.reduce(
        (sum, { startsAt, endsAt }) => sum + Math.round((endsAt - startsAt) / MINUTE_MS),
        0,
      ),
      payCents: payOf(worked),
    },
  };
}

/**
 * From when on a driver's blocks are known: from the first listing, or a block of before. Those of before that are on the
 * platform all the same, which may have paid for them.
 */
export function blocksKnownFrom(
  { captured, held }: { captured: readonly Block[]; held: readonly Block[] },
  firstListedAt: EpochMs,
): EpochMs {
  const starts = [...captured.map(({ acceptedAt }) => acceptedAt), ...held.map(({ startsAt }) => startsAt)];
  return Math.min(firstListedAt, ...starts);
}

function isPaid({ status }: Block): boolean {
  return status !== "forfeited";
}

function payOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { payCents }) => sum + payCents, 0);
}
