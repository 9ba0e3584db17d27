import { Temporal } from "temporal-polyfill";
import type { EarningsResponse, EarningsDay, EarningsWeek } from "../../../db/shapes/work/earnings.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { EarningItem, StoredEarnings } from "../storage/stored-shapes.ts";

type Earnings = NonNullable<EarningsResponse["earnings"]>;

/** A week in the driver's time zone: [from, to) as instants, and the date of its Monday. */
export type WeekRange = { monday: string; from: EpochMs; to: EpochMs };

/** Last week and this week in the driver's time zone. A week with a clock change has 167 or 169 hours. */
export function weekRanges(now: EpochMs, timeZone: string): { lastWeek: WeekRange; thisWeek: WeekRange } {
  const today = dateOf(now, timeZone);
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const span = (first: Temporal.PlainDate): WeekRange => ({
    monday: first.toString(),
    from: midnightOf(first, timeZone),
    to: midnightOf(first.add({ days: 7 }), timeZone),
  });
  return { lastWeek: span(monday.subtract({ days: 7 })), thisWeek: span(monday) };
}

/**
 * Groups stored earnings by day, for this week and last as of `now`. Still correct for figures that were fetched
 * before a week ended. A block without a start counts in its week's total but on no day.
 */
export function summarizeEarnings(
  facts: StoredEarnings,
  { now, timeZone, isStale }: { now: EpochMs; timeZone: string; isStale: boolean },
): Earnings {
  const { lastWeek, thisWeek } = weekRanges(now, timeZone);
  const placed = facts.items.map((item) => ({
    ...item,
    date: item.startsAt === null ? null : dateOf(item.startsAt, timeZone).toString(),
  }));
  const summarize = (week: WeekRange): EarningsWeek => {
    const dates = datesOf(week);
    const own = placed.filter(({ date, week: monday }) =>
      date === null ? monday === week.monday : dates.includes(date),
    );
    const days = dates.map((date): EarningsDay => ({
      date,
      ...sum(own.filter((item) => item.date === date)),
    }));
    return { ...sum(own), days };
  };
  return {
    currency: facts.currency,
    today: dateOf(now, timeZone).toString(),
    timeZone,
    thisWeek: summarize(thisWeek),
    lastWeek: summarize(lastWeek),
    asOf: facts.asOf,
    isStale,
  };
}

function sum(items: readonly EarningItem[]): { blocks: number; cents: number; tipsCents: number } {
  return {
    blocks: items.length,
    cents: items.reduce((total, { cents }) => total + cents, 0),
    tipsCents: items.reduce((total, { tipsCents }) => total + tipsCents, 0),
  };
}

function datesOf({ monday }: WeekRange): string[] {
  const first = Temporal.PlainDate.from(monday);
  return Array.from({ length: 7 }, (_, days) => first.add({ days }).toString());
}

function dateOf(at: EpochMs, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** The first instant of a day, even if a clock change skips midnight. */
function midnightOf(date: Temporal.PlainDate, timeZone: string): EpochMs {
  return date.toZonedDateTime(timeZone).epochMilliseconds;
}
