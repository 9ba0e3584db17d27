import type { LostReason } from "../../../db/shapes/work/attempt.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import type { ServiceType } from "../../../db/shapes/work/filters.ts";
import { MINUTE_MS, type Cents, type EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { capitalize } from "../language/capitalize.ts";
import {
  countInputs,
  formatCount,
  formatDuration,
  formatHours,
  formatLength,
  formatList,
  formatMinuteOfDay,
  formatMoney,
  formatRate,
  formatTime,
  formatTimeRange,
  formatUntil,
  formatWeekday,
} from "../language/format.ts";

/** Where an offer is, and the time zone and currency to format it in. */
export type OfferPlace = { name: string; timeZone: string; currency: string; warehouse: Warehouse | null };

/** The rule and the offer's value, side by side. `against` is what the rule is: a filter, or a block that was held. */
export type ReasonRow = { title: string; against: string; rule: string; offer: string };

type ReasonContext = { place: OfferPlace; heldAt: OfferPlace | null; now: EpochMs; hourlyCents: Cents };

export const SERVICE_TYPE_LABELS = {
  parcel: m.service_type_parcel,
  whole_foods: m.service_type_whole_foods,
  grocery: m.service_type_grocery,
  other: m.service_type_other,
} satisfies Record<ServiceType, () => string>;

export const LOST_MESSAGES = {
  offer_gone: m.lost_offer_gone,
  overlap: m.lost_overlap,
  weekly_limit: m.lost_weekly_limit,
  pay_changed: m.lost_pay_changed,
  withdrawn: m.lost_withdrawn,
  rate_limited: m.lost_rate_limited,
  signed_out: m.lost_signed_out,
  verification_required: m.lost_verification_required,
  refused: m.lost_refused,
  no_answer: m.lost_no_answer,
  other: m.lost_other,
} satisfies Record<LostReason, () => string>;

/** A reason in a few words, for a row of a list. */
export function reasonMessage(reason: Reason): string {
  switch (reason.code) {
    case "currency":
      return m.reason_currency();
    case "given_back":
      return m.reason_given_back();
    case "expired":
      return m.reason_expired();
    case "warehouse_not_selected":
      return m.reason_warehouse_not_selected();
    case "service_type":
      return m.reason_service_type();
    case "day_off":
      return capitalize(m.reason_day_off({ day: formatWeekday(reason.offer) }));
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
    case "other":
      return m.reason_other();
  }
}

/** The first reason, and how many more there are. */
export function reasonSummary(reasons: readonly Reason[]): string {
  const [first, ...rest] = reasons;
  if (!first) return m.feed_match();
  if (rest.length === 0) return reasonMessage(first);
  return m.feed_more_reasons({ reason: reasonMessage(first), count: formatCount(rest.length) });
}

/**
 * A reason as a table row: the rule and the offer's value. `heldAt` is where the block is that it overlaps, if known;
 * `hourlyCents` is the offer's hourly pay as it is shown.
 */
export function toReasonRow(reason: Reason, { place, heldAt, now, hourlyCents }: ReasonContext): ReasonRow {
  const title = reasonMessage(reason);
  if (reason.code !== "overlaps_block")
    return { title, against: m.offer_your_rule(), ...reasonFigures(reason, { ...place, now, hourlyCents }) };
  const when = formatTimeRange(reason.rule, { timeZone: heldAt?.timeZone ?? place.timeZone, now });
  return {
    title,
    against: m.offer_your_block(),
    rule: heldAt ? m.offer_block_at({ name: heldAt.name, when }) : when,
    offer: formatTimeRange(reason.offer, { timeZone: place.timeZone, now }),
  };
}

function reasonFigures(
  reason: Exclude<Reason, { code: "overlaps_block" }>,
  { name, timeZone, currency, now, hourlyCents }: OfferPlace & { now: EpochMs; hourlyCents: Cents },
): { rule: string; offer: string } {
  switch (reason.code) {
    case "currency":
      return { rule: reason.rule, offer: reason.offer };
    case "given_back":
      return {
        rule: m.rule_given_back({ time: formatTime(reason.rule, { timeZone, now }) }),
        offer: formatTimeRange(reason.offer, { timeZone, now }),
      };
    case "expired":
      return {
        rule: m.rule_expired({ until: formatUntil(reason.offer, { timeZone, now, seconds: true }) }),
        offer: formatTime(reason.rule, { timeZone, now, seconds: true }),
      };
    case "warehouse_not_selected":
      return { rule: m.rule_selected_count(countInputs(reason.rule.length)), offer: name };
    case "service_type":
      return { rule: SERVICE_TYPE_LABELS[reason.rule](), offer: SERVICE_TYPE_LABELS[reason.offer]() };
    case "day_off": {
      const days = reason.rule.map((day) => formatWeekday(day, "short"));
      return {
        rule: days.length > 0 ? formatList(days) : m.rule_no_days(),
        offer: formatWeekday(reason.offer),
      };
    }
    case "outside_schedule": {
      const { start, end } = reason.rule;
      return {
        rule: m.rule_window({ start: formatMinuteOfDay(start), end: formatMinuteOfDay(end) }),
        offer: formatMinuteOfDay(reason.offer),
      };
    }
    case "too_soon": {
      const minutes = formatDuration(Math.abs(reason.offer) * MINUTE_MS);
      return {
        rule: m.rule_ahead({ minutes: formatDuration(reason.rule * MINUTE_MS) }),
        offer: reason.offer < 0 ? m.rule_begun({ minutes }) : m.rule_ahead({ minutes }),
      };
    }
    case "duration_not_preferred": {
      const hours = formatList(reason.rule.map(formatHours), "disjunction");
      return {
        rule: reason.rule.length > 0 ? m.unit_hours({ hours }) : m.rule_no_durations(),
        offer: formatLength(reason.offer),
      };
    }
    case "price_below_minimum":
      return {
        rule: m.rule_at_least({ figure: formatMoney(reason.rule, currency) }),
        offer: formatMoney(reason.offer, currency),
      };
    case "rate_below_minimum":
      return {
        rule: m.rule_at_least({ figure: formatRate(reason.rule, currency) }),
        offer: formatRate(hourlyCents, currency),
      };
    case "other":
      return { rule: "–", offer: "–" };
  }
}
