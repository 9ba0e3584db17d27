import { LIMITS, type Limit } from "../../../../db/shapes/work/filters.ts";
import { m } from "../../../messages/messages.js";
import { formatLimit } from "../../language/limit-labels.ts";
import type { Draft } from "../draft.ts";

/** The field of its figure: the label, and how many units of the figure are one of those shown. */
export const LIMIT_FIELDS = {
  blocksPerDay: { label: m.limit_field_blocks, scale: 1 },
  minutesPerDay: { label: m.limit_field_hours, scale: 60 },
  minutesPerWeek: { label: m.limit_field_hours, scale: 60 },
  restMinutes: { label: m.limit_field_minutes, scale: 1 },
  travelMinutes: { label: m.limit_field_minutes, scale: 1 },
  weekGoalCents: { label: m.limit_field_money, scale: 100 },
} satisfies Record<Limit, { label: () => string; scale: number }>;

/** The limits that are on, in one line. */
export function formatLimits({ limits }: Pick<Draft, "limits">, currency: string): string {
  const on = LIMITS.filter((limit) => limits[limit].isOn);
  if (on.length === 0) return m.limits_none();
  return on.map((limit) => formatLimit(limit, { figure: limits[limit].figure, currency })).join(" · ");
}
