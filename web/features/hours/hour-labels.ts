import type { OfferHour, OfferStretch } from "../../../db/shapes/work/offer-hours.ts";
import { MINUTE_MS, type DurationMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import {
  formatCount,
  formatDuration,
  formatMinuteOfDay,
  formatRate,
  formatWeekday,
} from "../language/format.ts";

/** Seconds are said up to here; above, minutes. */
const SECONDS_UP_TO_MS = 90_000;

/** `8:00 PM to 10:00 PM`: hours of a day, by the hour of the week in which they begin. */
export function formatHourSpan(hour: number, hours = 1): string {
  const clock = (of: number) => formatMinuteOfDay((of % 24) * 60);
  return m.time_span({ start: clock(hour), end: clock(hour + hours) });
}

/** `Sunday, 8:00 PM to 10:00 PM`. */
export function formatWeekSpan(hour: number, hours = 1): string {
  return m.hours_span({ day: formatWeekday(weekdayOfHour(hour)), span: formatHourSpan(hour, hours) });
}

/** The ISO weekday of an hour of the week: 1 is Monday. */
export function weekdayOfHour(hour: number): number {
  return Math.floor(hour / 24) + 1;
}

/** `40 sec`, `5 min`; a part of a unit counts as a whole one. */
export function formatStay(ms: DurationMs): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return ms <= SECONDS_UP_TO_MS
    ? m.unit_seconds({ seconds: formatCount(seconds) })
    : formatDuration(Math.ceil(ms / MINUTE_MS) * MINUTE_MS);
}

/** `Most at Maspeth: Sunday, 8:00 PM to 10:00 PM, around $27/hr, half gone within 40 sec`. */
export function bestMessage(
  best: OfferStretch,
  { warehouse, currency }: { warehouse: string; currency: string },
): string {
  const inputs = {
    warehouse,
    hours: formatWeekSpan(best.from, best.hours),
    rate: formatRate(wholeUnits(best.medianHourlyCents), currency),
  };
  return best.halfGoneMs === null
    ? m.hours_best(inputs)
    : m.hours_best_gone({ ...inputs, gone: formatStay(best.halfGoneMs) });
}

/** `Around $27/hr, best $34/hr`. */
export function payMessage({ medianHourlyCents, bestHourlyCents }: OfferHour, currency: string): string {
  return m.hours_pay({
    rate: formatRate(wholeUnits(medianHourlyCents), currency),
    best: formatRate(wholeUnits(bestHourlyCents), currency),
  });
}

/** How long offers of an hour stayed. */
export function stayMessage({ halfGoneMs, offers }: Pick<OfferHour, "halfGoneMs" | "offers">): string {
  if (halfGoneMs === null) return m.hours_gone_unknown();
  const gone = formatStay(halfGoneMs);
  return offers === 1 ? m.hours_gone_one({ gone }) : m.hours_gone({ gone });
}

/** `$27`: about is no place for cents. */
function wholeUnits(cents: number): number {
  return Math.round(cents / 100) * 100;
}
