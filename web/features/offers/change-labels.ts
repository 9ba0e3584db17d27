import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { formatDuration, formatLength, formatMoney, formatWeekday } from "../language/format.ts";
import { warehouseName } from "./offer-place.ts";

/** What a change does, as the button that makes it says it. */
export function changeLabel(
  change: FilterChange,
  { warehouses, currency }: { warehouses: readonly Warehouse[]; currency: string },
): string {
  const nameOf = (id: string) => warehouseName(warehouses.find(({ warehouseId }) => warehouseId === id));
  switch (change.kind) {
    case "min_price":
      return m.change_min_price({
        name: nameOf(change.warehouseId),
        figure: formatMoney(change.cents, currency),
      });
    case "min_hourly": {
      const figure = m.unit_per_hour({ money: formatMoney(change.cents, currency) });
      return change.warehouseId === null
        ? m.change_min_hourly({ figure })
        : m.change_min_hourly_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "notice": {
      const figure = formatMinutes(change.minutes);
      return change.warehouseId === null
        ? m.change_notice({ figure })
        : m.change_notice_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "length": {
      const figure = formatLength(change.minutes);
      return change.warehouseId === null
        ? m.change_length({ figure })
        : m.change_length_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "day_on":
      return m.change_day_on({ day: formatWeekday(change.day) });
    case "earlier":
    case "later":
      return windowLabel(change);
    case "select":
      return m.change_select({ name: nameOf(change.warehouseId) });
  }
}

function windowLabel({ kind, day, minutes }: Extract<FilterChange, { kind: "earlier" | "later" }>): string {
  const figure = formatDuration(minutes * MINUTE_MS);
  if (day === null) return kind === "earlier" ? m.change_earlier({ figure }) : m.change_later({ figure });
  const name = formatWeekday(day);
  return kind === "earlier"
    ? m.change_earlier_on({ day: name, figure })
    : m.change_later_on({ day: name, figure });
}

function formatMinutes(minutes: number): string {
  return minutes === 0 ? m.unit_minutes({ minutes: "0" }) : formatDuration(minutes * MINUTE_MS);
}
