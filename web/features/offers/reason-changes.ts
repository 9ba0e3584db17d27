import { nearestDuration } from "../../../db/shapes/work/durations.ts";
import { applyFilterChange, type FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import { MINUTE_MS, type WarehouseId } from "../../../db/shapes/units.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";

/** Amounts are lowered to whole units, notice to five minutes, hours to the half. */
const WHOLE_UNIT = 100;
const NOTICE_STEP = 5;
const WINDOW_STEP = 30;

/**
 * The change that removes a reason against an offer. `allowed`: the present filters have no such reason any more. Null
 * where no change of the filters removes it. `weekday` is the ISO weekday of the offer's start.
 */
export function reasonChange(
  reason: Reason,
  { filters, warehouseId, weekday }: { filters: Filters; warehouseId: WarehouseId; weekday: number },
): FilterChange | "allowed" | null {
  const change = removalOf(reason, { filters, warehouseId, weekday });
  if (change === null || change === "allowed") return change;
  return applyFilterChange(filters, change) === filters ? "allowed" : change;
}

function removalOf(
  reason: Reason,
  { filters, warehouseId, weekday }: Parameters<typeof reasonChange>[1],
): FilterChange | "allowed" | null {
  switch (reason.code) {
    case "price_below_minimum":
      return reason.offer < 1
        ? null
        : { kind: "min_price", warehouseId, cents: roundDown(reason.offer, WHOLE_UNIT) || reason.offer };
    case "rate_below_minimum":
      return { kind: "min_hourly", warehouseId, cents: roundDown(reason.offer, WHOLE_UNIT) };
    case "too_soon":
      return reason.offer < 0
        ? null
        : { kind: "notice", warehouseId, minutes: roundDown(reason.offer, NOTICE_STEP) };
    case "duration_not_preferred":
      return { kind: "length", warehouseId, minutes: nearestDuration(reason.offer * MINUTE_MS) };
    case "day_off":
      return { kind: "day_on", day: reason.offer };
    case "outside_schedule":
      return windowChange(reason.offer, { filters, weekday });
    case "warehouse_not_selected":
      return filters.warehouses.some((filter) => filter.warehouseId === warehouseId)
        ? { kind: "select", warehouseId }
        : null;
    case "currency":
    case "given_back":
    case "expired":
    case "service_type":
    case "overlaps_block":
    case "other":
      return null;
  }
}

/** Opens the weekday's window up to a start before it, or closes it after one behind it. */
function windowChange(
  minute: number,
  { filters, weekday }: { filters: Filters; weekday: number },
): FilterChange | "allowed" {
  const day = filters.schedule[weekday - 1];
  if (!day?.active) return { kind: "day_on", day: weekday };
  const { start, end } = day;
  const isOvernight = end <= start;
  if (minute < start)
    return { kind: "earlier", day: weekday, minutes: start - roundDown(minute, WINDOW_STEP) };
  if (isOvernight || minute < end) return "allowed";
  return { kind: "later", day: weekday, minutes: roundDown(minute, WINDOW_STEP) + WINDOW_STEP - end };
}

function roundDown(value: number, step: number): number {
  return Math.floor(value / step) * step;
}
