import type { ReasonCode } from "../../../db/shapes/work/verdict.ts";
import { m } from "../../messages/messages.js";

/** What offers that were passed over for one reason have in common. */
export const PASSED_OVER_LABELS = {
  currency: m.passed_currency,
  given_back: m.passed_given_back,
  expired: m.passed_expired,
  warehouse_not_selected: m.passed_warehouse_not_selected,
  service_type: m.passed_service_type,
  day_off: m.passed_day_off,
  outside_schedule: m.passed_outside_schedule,
  too_soon: m.passed_too_soon,
  duration_not_preferred: m.passed_duration_not_preferred,
  price_below_minimum: m.passed_price_below_minimum,
  rate_below_minimum: m.passed_rate_below_minimum,
  overlaps_block: m.passed_overlaps_block,
  other: m.passed_other,
} satisfies Record<ReasonCode, () => string>;
