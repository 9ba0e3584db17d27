import type { Limit } from "../../../db/shapes/work/filters.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { countInputs, formatDuration, formatLength, formatMoney } from "./format.ts";

/** The name of a limit, beside its switch. */
export const LIMIT_LABELS = {
  blocksPerDay: m.limit_blocks_day,
  minutesPerDay: m.limit_hours_day,
  minutesPerWeek: m.limit_hours_week,
  restMinutes: m.limit_rest,
  travelMinutes: m.limit_travel,
  weekGoalCents: m.limit_goal,
} satisfies Record<Limit, () => string>;

/** A limit in a few words: `3 blocks a day`. */
export function formatLimit(
  limit: Limit,
  { figure, currency }: { figure: number | null; currency: string },
): string {
  const value = figure ?? 0;
  switch (limit) {
    case "blocksPerDay":
      return m.limit_blocks_day_of(countInputs(value));
    case "minutesPerDay":
      return m.limit_hours_day_of({ hours: formatLength(value) });
    case "minutesPerWeek":
      return m.limit_hours_week_of({ hours: formatLength(value) });
    case "restMinutes":
      return m.limit_rest_of({ minutes: formatDuration(value * MINUTE_MS) });
    case "travelMinutes":
      return m.limit_travel_of({ minutes: formatDuration(value * MINUTE_MS) });
    case "weekGoalCents":
      return m.limit_goal_of({ money: formatMoney(value, currency) });
  }
}
