import type { DaySchedule } from "../../../durable/engine/rules.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import { m } from "../../messages/messages.js";
import { sayMinuteOfDay, sayMoney, sayWeekday } from "../language/format.ts";
import { nameOf } from "../offers/place-of.ts";
import { windowKind } from "./day-window.ts";
import type { Part } from "./merge.ts";
import { sayRule } from "./rule-sentence.ts";

/** What a part of the filters is called. */
export function namePart(part: Part, warehouses: readonly Warehouse[]): string {
  switch (part.kind) {
    case "general":
      return m.general_title();
    case "day":
      return sayWeekday(part.index + 1);
    case "warehouse":
      return nameOf(warehouses.find(({ warehouseId }) => warehouseId === part.of.warehouseId));
  }
}

/** What a part says. */
export function sayPart(part: Part, currency: string): string {
  switch (part.kind) {
    case "general":
      return part.of.isOn
        ? m.rule_at_least({ figure: m.unit_per_hour({ money: sayMoney(part.of.cents ?? 0, currency) }) })
        : m.part_off();
    case "day":
      return sayDay(part.of);
    case "warehouse":
      return part.of.selected ? sayRule(part.of, currency) : m.part_not_selected();
  }
}

/** `9:30 AM to 6:00 PM`; over midnight the end is the next day's. */
export function sayDay(day: DaySchedule): string {
  if (!day.active) return m.week_off();
  const [start, end] = [sayMinuteOfDay(day.start), sayMinuteOfDay(day.end)];
  switch (windowKind(day)) {
    case "whole":
      return m.week_all_day();
    case "same":
      return m.time_span({ start, end });
    case "overnight":
      return m.time_span_overnight({ start, end });
  }
}
