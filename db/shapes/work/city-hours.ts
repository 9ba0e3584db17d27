import * as z from "zod/mini";
import { WEEK_HOURS, weekHour } from "./offer-hours.ts";
import { cents, HOUR_MS, warehouseId, type Cents, type EpochMs, type WarehouseId } from "../units.ts";
import { groupBy } from "../group-by.ts";

/** How many of each: of an hour of the week, or of a pay in whole units of the currency an hour. */
export type Counts = readonly (readonly [of: number, count: number])[];
const bucket = z.int().check(z.nonnegative());
const counts = z.array(z.tuple([bucket, bucket]));

/** Reads stored counts; malformed ones are none. */
export function readCounts(stored: unknown): Counts {
  const read = z.safeParse(counts, stored);
  return read.success ? read.data : [];
}

/** The offers that one driver's object adds to a week of a warehouse. Nothing says whose they are. */
export type CityHoursShare = {
  /** Weeks since Monday, 5 January 1970, at midnight UTC. */
  week: number;
  warehouseId: WarehouseId;
  /** 1 for the first share of the driver's in that week, else 0. */
  drivers: number;
  offers: number;
  hours: Counts;
  pays: Counts;
  /** Of `hourPayOf`. */
  hourPays: Counts;
};

/** Pay is counted in steps of so many whole units for each hour of the week: a row holds ten steps an hour or fewer. */
const HOUR_PAY_STEP = 3;
/** More than steps of pay. */
const PAYS_AN_HOUR = 100;

/** An hour of the week and a pay in whole units, as one number to count by. */
export function hourPayOf(hour: number, units: number): number {
  return hour * PAYS_AN_HOUR + Math.min(PAYS_AN_HOUR - 1, Math.floor(units / HOUR_PAY_STEP));
}

/** The counts of pay of each hour of the week, by the whole units that each step begins with. */
function paysByHour(hourPays: Counts): Map<number, Counts> {
  const groups = groupBy(hourPays, ([of]) => Math.floor(of / PAYS_AN_HOUR));
  return new Map(
    [...groups].map(([hour, group]) => [
      hour,
      group.map(([of, count]) => [(of % PAYS_AN_HOUR) * HOUR_PAY_STEP, count] as const),
    ]),
  );
}

/** So many drivers make a week of a warehouse one to show: with fewer it might say what one of them was offered. */
export const MIN_CITY_DRIVERS = 5;
/** How many weeks are kept, the present one among them. */
export const CITY_WEEKS = 8;

/** A warehouse's last weeks, by all drivers of Jornada who were offered blocks there. */
export const cityOfferHours = z.object({
  warehouseId,
  /** Of all drivers, so that an offer counts as often as it was seen: figures to compare hours by. */
  hours: z.array(
    z.object({
      hour: weekHour,
      offers: z.int(),
      /** Half of the hour's offers pay this an hour, or better, in steps of some units; not given where it was not counted. */
      medianHourlyCents: z.optional(cents),
    }),
  ),
  /** Half of the offers pay this an hour, or better; whole units of the currency. */
  medianHourlyCents: cents,
});
export type CityOfferHours = z.infer<typeof cityOfferHours>;

const WEEK_MS = 7 * 24 * HOUR_MS;
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * 24 * HOUR_MS;

/** The week of an instant. */
export function cityWeekOf(at: EpochMs): number {
  return Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS);
}

/** The pay of the cheaper half's end, from counts by whole units: half of what was counted pays it, or better. */
export function medianOf(pays: Counts): Cents {
  const sorted = pays.toSorted(([one], [other]) => other - one);
  const half = sorted.reduce((sum, [, offers]) => sum + offers, 0) / 2;
  let better = 0;
  for (const [units, offers] of sorted) {
    better += offers;
    if (better >= half) return units * 100;
  }
  return 0;
}

/** Weeks of warehouses as one of each. */
export function sumCityWeeks(
  weeks: readonly { warehouseId: WarehouseId; hours: Counts; pays: Counts; hourPays: Counts }[],
): CityOfferHours[] {
  return [...groupBy(weeks, ({ warehouseId: id }) => id)].map(([id, of]) => {
    const pays = paysByHour(sumOf(of.map(({ hourPays }) => hourPays)));
    return {
      warehouseId: id,
      hours: sumOf(of.map(({ hours }) => hours))
        .filter(([hour]) => hour < WEEK_HOURS)
        .map(([hour, offers]) => {
          const paid = pays.get(hour);
          return { hour, offers, ...(paid && { medianHourlyCents: medianOf(paid) }) };
        })
        .toSorted((one, other) => one.hour - other.hour),
      medianHourlyCents: medianOf(sumOf(of.map((week) => week.pays))),
    };
  });
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = new Map<number, number>();
  for (const [of, count] of all.flat()) sum.set(of, (sum.get(of) ?? 0) + count);
  return [...sum];
}
