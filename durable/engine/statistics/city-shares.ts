import {
  cityWeekOf,
  hourPayOf,
  type CityHoursShare,
  type Counts,
} from "../../../db/shapes/work/city-hours.ts";
import { hourlyPay, type EpochMs } from "../../../db/shapes/units.ts";
import { listSightings, weekHourOf, zonesOf, type OfferHoursContext } from "./offer-hours.ts";

/** The share of a driver in the city's figures, before it is known whether it is the driver's first of a week. */
export type UncountedShare = Omit<CityHoursShare, "drivers">;

/**
 * Counts the offers that appeared to one driver in a span of their log, by week and warehouse: how many in each hour of the week on
 * the warehouse's clock, how many at each hourly pay, in whole units of the currency, and how many in each hour at each step of pay. An offer whose appearance isn't known
 * is left out, as in the driver's own hours.
 * @param context `from` begins the span
 * @param to ends it, exclusive
 */
export function countCityShares(
  context: Omit<OfferHoursContext, "captured">,
  to: EpochMs,
): readonly UncountedShare[] {
  const zones = zonesOf(context.warehouses);
  const appeared = listSightings({ ...context, captured: new Set() })
    .filter(({ at, hasAppeared }) => hasAppeared && at < to)
    .flatMap(({ at, offer }) => {
      const zone = zones.get(offer.warehouseId);
      const pay = Math.floor(hourlyPay(offer) / 100);
      return zone ? [{ ...offer, week: cityWeekOf(at), hour: weekHourOf(zone, at), pay }] : [];
    });
  const groups = Map.groupBy(appeared, ({ week, warehouseId }) => `${week} ${warehouseId}`);
  return [...groups.values()].flatMap((group): UncountedShare[] => {
    const [first] = group;
    if (!first) return [];
    const { week, warehouseId } = first;
    const hours = countEach(group.map(({ hour }) => hour));
    const pays = countEach(group.map(({ pay }) => pay));
    const hourPays = countEach(group.map(({ hour, pay }) => hourPayOf(hour, pay)));
    return [{ week, warehouseId, offers: group.length, hours, pays, hourPays }];
  });
}

function countEach(values: readonly number[]): Counts {
  return [...Map.groupBy(values, (value) => value)].map(([value, of]) => [value, of.length]);
}
