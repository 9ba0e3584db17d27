import { PLANS_FOR_SALE } from "../../../db/shapes/money/plans.ts";
import type { ActFacts } from "../../../db/shapes/operators.ts";
import {
  DEVICE_TIME_ZONE,
  formatCount,
  formatExactMoney,
  formatTime,
} from "../../features/language/format.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { m } from "../messages/messages.js";

/** Facts of an act in one line: money, instants and counts as such. Ids say nothing to anybody. */
export function formatFacts(facts: ActFacts, { currency, now }: { currency: string; now: number }): string {
  return Object.entries(facts)
    .flatMap(([name, value]) => {
      if (value === null || name.endsWith("Id")) return [];
      if (typeof value === "boolean") return name === "keepsDays" && value ? [m.field_keeps()] : [];
      if (typeof value === "string") {
        const sold = PLANS_FOR_SALE.find((plan) => name === "plan" && plan === value);
        return [sold ? formatPlan(sold) : value];
      }
      if (name.endsWith("ents")) return [formatExactMoney(value, currency)];
      if (name.endsWith("At") || name === "serviceUntil")
        return [formatTime(value, { timeZone: DEVICE_TIME_ZONE, now })];
      return [formatCount(value)];
    })
    .join(", ");
}
