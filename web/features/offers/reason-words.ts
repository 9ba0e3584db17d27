import type { LostReason, Reason, Warehouse } from "../../../durable/engine/types.ts";
import type { ServiceType } from "../../../durable/engine/rules.ts";
import { MINUTE_MS } from "../../../durable/engine/units.ts";
import { m } from "../../messages/messages.js";
import {
  sayCount,
  sayDayTime,
  sayDuration,
  sayHoursFigure,
  sayList,
  sayMinuteOfDay,
  sayMoney,
  sayTime,
  sayTimeToTheSecond,
  sayWeekday,
} from "../language/format.ts";

/** Where an offer stands: what its figures are said in. */
export type Place = { name: string; timeZone: string; currency: string; warehouse: Warehouse | null };

/** The rule beside the figure. */
export type ReasonRow = { title: string; rule: string; offer: string };

export const SERVICE_TYPE_WORDS = {
  parcel: m.service_type_parcel,
  whole_foods: m.service_type_whole_foods,
  grocery: m.service_type_grocery,
  other: m.service_type_other,
} satisfies Record<ServiceType, () => string>;

export const LOST_WORDS = {
  offer_gone: m.lost_offer_gone,
  overlap: m.lost_overlap,
  weekly_limit: m.lost_weekly_limit,
  pay_changed: m.lost_pay_changed,
  withdrawn: m.lost_withdrawn,
  rate_limited: m.lost_rate_limited,
  signed_out: m.lost_signed_out,
  verification_required: m.lost_verification_required,
  refused: m.lost_refused,
} satisfies Record<LostReason, () => string>;

/** A reason in a few plain words, for one line of a list. */
export function sayReason(reason: Reason): string {
  switch (reason.code) {
    case "expired":
      return m.reason_expired();
    case "warehouse_not_selected":
      return m.reason_warehouse_not_selected();
    case "service_type":
      return m.reason_service_type();
    case "day_off":
      return capitalize(m.reason_day_off({ day: sayWeekday(reason.offer) }));
    case "outside_schedule":
      return m.reason_outside_schedule();
    case "too_soon":
      return m.reason_too_soon();
    case "duration_not_preferred":
      return m.reason_duration_not_preferred();
    case "price_below_minimum":
      return m.reason_price_below_minimum();
    case "rate_below_minimum":
      return m.reason_rate_below_minimum();
    case "overlaps_block":
      return m.reason_overlaps_block();
  }
}

/** The first reason, and how many more there are. */
export function sayReasons(reasons: readonly Reason[]): string {
  const [first, ...rest] = reasons;
  if (!first) return m.feed_match();
  if (rest.length === 0) return sayReason(first);
  return m.feed_more_reasons({ reason: sayReason(first), count: rest.length });
}

/** A reason as a row: what was asked for, and what the offer has. */
export function explainReason(reason: Reason, place: Place): ReasonRow {
  return { title: sayReason(reason), ...figures(reason, place) };
}

function figures(reason: Reason, { name, timeZone, currency }: Place): { rule: string; offer: string } {
  switch (reason.code) {
    case "expired":
      return {
        rule: m.rule_expired({ time: sayTimeToTheSecond(reason.offer, timeZone) }),
        offer: sayTimeToTheSecond(reason.rule, timeZone),
      };
    case "warehouse_not_selected":
      return { rule: m.rule_selected_count({ count: sayCount(reason.rule.length) }), offer: name };
    case "service_type":
      return { rule: SERVICE_TYPE_WORDS[reason.rule](), offer: SERVICE_TYPE_WORDS[reason.offer]() };
    case "day_off": {
      const days = reason.rule.map((day) => sayWeekday(day, "short"));
      return { rule: days.length > 0 ? sayList(days) : m.rule_no_days(), offer: sayWeekday(reason.offer) };
    }
    case "outside_schedule": {
      const { start, end } = reason.rule;
      return {
        rule: m.rule_window({ start: sayMinuteOfDay(start), end: sayMinuteOfDay(end) }),
        offer: sayMinuteOfDay(reason.offer),
      };
    }
    case "too_soon": {
      const minutes = sayDuration(Math.abs(reason.offer) * MINUTE_MS);
      return {
        rule: m.rule_ahead({ minutes: sayDuration(reason.rule * MINUTE_MS) }),
        offer: reason.offer < 0 ? m.rule_begun({ minutes }) : m.rule_ahead({ minutes }),
      };
    }
    case "duration_not_preferred": {
      const hours = sayList(reason.rule.map(sayHoursFigure), "disjunction");
      return {
        rule: reason.rule.length > 0 ? m.unit_hours({ hours }) : m.rule_no_durations(),
        offer: m.unit_hours({ hours: sayHoursFigure(reason.offer) }),
      };
    }
    case "price_below_minimum":
      return {
        rule: m.rule_at_least({ figure: sayMoney(reason.rule, currency) }),
        offer: sayMoney(reason.offer, currency),
      };
    case "rate_below_minimum":
      return {
        rule: m.rule_at_least({ figure: m.unit_per_hour({ money: sayMoney(reason.rule, currency) }) }),
        offer: m.unit_per_hour({ money: sayMoney(reason.offer, currency) }),
      };
    case "overlaps_block":
      return { rule: saySpan(reason.rule, timeZone), offer: saySpan(reason.offer, timeZone) };
  }
}

/** `Tue 4:30 PM to 8:00 PM`. */
export function saySpan(
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
  timeZone: string,
): string {
  return m.time_span({ start: sayDayTime(startsAt, timeZone), end: sayTime(endsAt, timeZone) });
}

function capitalize(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
