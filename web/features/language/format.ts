import { LANGUAGE_FACTS, type Language } from "../../../db/shapes/language.ts";
import type { Cents, DurationMs, EpochMs, MinuteOfDay } from "../../../db/shapes/units.ts";
import { roundTo } from "../../../db/shapes/round-to.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import * as locales from "../../../locales/format.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { m } from "../../messages/messages.js";
import { currentLocale } from "./locale.ts";

/** The device's time zone, where no warehouse's and no driver's is known. */
export const DEVICE_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A Monday at midnight UTC, to format weekday names from. */
const MONDAY = Date.UTC(2024, 0, 1);

type ReadingTime = locales.ReadingTime;
type TimeRange = { startsAt: EpochMs; endsAt: EpochMs };

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return locales.dateFormat(currentLocale(), options);
}

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return locales.numberFormat(currentLocale(), options);
}

/** A phone number, a time or an amount that no line break parts. Only for the page: a text message would cost twice as much. */
export function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}

/** A day and a time, which may stand in two lines: together they are longer than a narrow phone's. */
function unbrokenParts(dayAndTime: string): string {
  return dayAndTime.split(", ").map(unbroken).join(", ");
}

/** `+1 (555) 010-0144`, in a sentence. */
export function formatPhoneText(number: string): string {
  return unbroken(formatPhone(number)).replace("-", "\u2011");
}

/** `$98`, `$28.50`. */
export function formatMoney(amount: Cents, currency: string): string {
  return locales.formatMoney(currentLocale(), amount, currency);
}

/** `$90.62`, `-$2.00`: always with cents, for columns. */
export function formatExactMoney(amount: Cents, currency: string): string {
  return numberFormat({ style: "currency", currency }).format(amount / 100);
}

/** `$28/h`, `$28.33/h`; for columns with `formatExactMoney`. */
export function formatRate(hourlyCents: Cents, currency: string, format = formatMoney): string {
  return m.unit_per_hour({ money: format(hourlyCents, currency) });
}

/** `1,204`. */
export function formatCount(count: number): string {
  return countInputs(count).figure;
}

/** `+140`, `-300`: for columns of what came and went. */
export function formatSignedCount(count: number): string {
  return numberFormat({ signDisplay: "exceptZero" }).format(count);
}

/** The inputs of a message that counts: `count` chooses the plural form, `figure` (`1,204`) is shown. */
export function countInputs(count: number): { count: number; figure: string } {
  return locales.countInputs(currentLocale(), count);
}

/** `4:30 PM` today, `Tue 4:30 PM` or `Dec 5, 4:30 PM` on other days. With `seconds`, `4:30:07 PM`. */
export function formatTime(at: EpochMs, reading: ReadingTime & { seconds?: boolean }): string {
  return unbrokenParts(locales.formatTime(currentLocale(), at, reading));
}

/** As `formatTime`, for a message's `{until}`. */
export function formatUntil(at: EpochMs, reading: ReadingTime & { seconds?: boolean }): string {
  return unbrokenParts(locales.formatUntil(currentLocale(), at, reading));
}

/** `Sat, Dec 5`. */
export function formatDate(at: EpochMs, timeZone: string): string {
  return locales.formatDate(currentLocale(), at, timeZone);
}

/** `November 2026`. */
export function formatMonth(at: EpochMs, timeZone: string): string {
  return dateFormat({ month: "long", year: "numeric", timeZone }).format(at);
}

/** `S`, for a column of a week. */
export function formatNarrowWeekday(at: EpochMs, timeZone: string): string {
  return dateFormat({ weekday: "narrow", timeZone }).format(at);
}

/** `2026-12-05`: the calendar day, for grouping and sorting. */
export function dayKey(at: EpochMs, timeZone: string): string {
  return locales
    .dateFormat("en", { year: "numeric", month: "2-digit", day: "2-digit", timeZone })
    .formatToParts(at)
    .reduce((key, { type, value }) => {
      if (type === "year") return value + key;
      return type === "month" || type === "day" ? `${key}-${value}` : key;
    }, "");
}

/** `November 22, 2026`: for what is kept for years. */
export function formatLongDate(at: EpochMs, timeZone: string): string {
  return locales.formatLongDate(currentLocale(), at, timeZone);
}

/** `4:30 PM to 8:00 PM` today, `Tue 4:30 PM to 8:00 PM` on other days. */
export function formatTimeRange({ startsAt, endsAt }: TimeRange, reading: ReadingTime): string {
  return m.time_span({
    start: formatTime(startsAt, reading),
    end: formatClock(endsAt, reading.timeZone),
  });
}

/** `4:30 PM to 8:00 PM`, beside a date. */
export function formatClockRange({ startsAt, endsAt }: TimeRange, timeZone: string): string {
  return m.time_span({ start: formatClock(startsAt, timeZone), end: formatClock(endsAt, timeZone) });
}

/** `4:30 PM`, beside a date. */
export function formatClock(at: EpochMs, timeZone: string): string {
  return unbroken(locales.formatClock(currentLocale(), at, timeZone));
}

/** `4:30 PM`, from minutes since midnight. */
export function formatMinuteOfDay(minute: MinuteOfDay): string {
  return formatClock(MONDAY + minute * MINUTE_MS, "UTC");
}

/** `Monday` or `Mon`; 1 is Monday, as ISO counts. */
export function formatWeekday(weekday: number, width: "long" | "short" = "long"): string {
  return locales.formatWeekday(currentLocale(), weekday, width);
}

/** `Mon, Tue and Fri`. */
export function formatList(items: readonly string[], type: Intl.ListFormatType = "conjunction"): string {
  return locales.formatList(currentLocale(), items, type);
}

/** `3.5`, from minutes. */
export function formatHours(minutes: number): string {
  return locales.formatHours(currentLocale(), minutes);
}

/** `3.5 h`, from minutes. */
export function formatLength(minutes: number): string {
  return unbroken(m.unit_hours({ hours: formatHours(minutes) }));
}

/** `3.5 h`, from a block's length. */
export function formatBlockLength({ startsAt, endsAt }: TimeRange): string {
  return formatLength((endsAt - startsAt) / MINUTE_MS);
}

/** `45 min`, `3 h 20 min`, `2 days, 4 h`; whole minutes, rounded down. */
export function formatDuration(ms: DurationMs): string {
  return unbroken(durationText(ms));
}

function durationText(ms: DurationMs): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return m.unit_less_minute();
  if (minutes < 60) return m.unit_minutes({ minutes: formatCount(minutes) });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    const rest = minutes % 60;
    return rest === 0
      ? m.unit_hours({ hours: formatCount(hours) })
      : m.unit_hours_minutes({ hours: formatCount(hours), minutes: formatCount(rest) });
  }
  const days = Math.floor(hours / 24);
  const rest = hours % 24;
  return days >= 7 || rest === 0
    ? formatDays(days)
    : m.unit_days_hours({ days: formatDays(days), hours: formatCount(rest) });
}

/**
 * How much of something bought is left: as `formatDuration`, to the nearest day, hour or minute, so that 14 days read as
 * 14 days in the hours after they begin.
 */
export function formatTimeLeft(ms: DurationMs): string {
  const unitMs = ms >= 7 * DAY_MS ? DAY_MS : ms >= DAY_MS ? HOUR_MS : MINUTE_MS;
  return formatDuration(Math.round(ms / unitMs) * unitMs);
}

/** `0.7%`, from millionths. */
export function formatPercent(millionths: number): string {
  return numberFormat({ style: "percent", maximumFractionDigits: 3 }).format(millionths / 1_000_000);
}

/** `1 day`, `12 days`. */
export function formatDays(count: number): string {
  return m.unit_days(countInputs(count));
}

/** `2.5 days`, `3 hours`. */
export function formatServiceTime(ms: DurationMs): string {
  return locales.formatServiceTime(currentLocale(), ms);
}

/** `9:41` or `1:09:41`, from whole seconds: a clock that runs down. */
export function formatCountdown(seconds: number): string {
  const padded = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const last = padded(seconds % 60);
  return hours === 0 ? `${minutes}:${last}` : `${hours}:${padded(minutes)}:${last}`;
}

/** `5 s ago`, `3 m ago`: in a line of a list. */
export function formatShortTimeAgo(ms: DurationMs): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const format = (count: number, unit: "second" | "minute" | "hour") =>
    locales.formatElapsed(currentLocale(), count, { unit, style: "narrow" });
  if (seconds < 60) return format(seconds, "second");
  if (seconds < 3600) return format(Math.floor(seconds / 60), "minute");
  return format(Math.floor(seconds / 3600), "hour");
}

/** `Eastern Time`, in summer and winter alike. */
export function formatZoneName(timeZone: string): string {
  const parts = dateFormat({ timeZone, timeZoneName: "longGeneric" }).formatToParts(0);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** `inglés`, as it stands in a sentence. */
export function formatLanguage(language: Language): string {
  return new Intl.DisplayNames(currentLocale(), { type: "language" }).of(language) ?? language;
}

/** `Brazil`, from a code of ISO 3166. */
export function formatCountry(code: string): string {
  return new Intl.DisplayNames(currentLocale(), { type: "region" }).of(code) ?? code;
}

/** `5 seconds ago`. */
export function formatTimeAgo(ms: DurationMs): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const format = (count: number, unit: "second" | "minute" | "hour") =>
    locales.formatElapsed(currentLocale(), count, { unit, style: "short" });
  if (seconds < 90) return format(seconds, "second");
  if (seconds < 5400) return format(Math.round(seconds / 60), "minute");
  return format(Math.round(seconds / 3600), "hour");
}

const METERS_PER_FOOT = 0.3048;
const FEET_PER_MILE = 5280;

/** `350 ft`, `1.2 mi`; `110 m`, `1,9 km` in metric regions. */
export function formatDistance(meters: number): string {
  const format = (value: number, unit: string, maximumFractionDigits = 0) =>
    numberFormat({ style: "unit", unit, maximumFractionDigits }).format(value);
  if (LANGUAGE_FACTS[currentLocale()].distances === "kilometers") {
    return meters < 1000
      ? format(Math.round(meters), "meter")
      : format(roundTo(meters / 1000, 1), "kilometer", 1);
  }
  const feet = meters / METERS_PER_FOOT;
  return feet < 1000 ? format(Math.round(feet), "foot") : format(roundTo(feet / FEET_PER_MILE, 1), "mile", 1);
}

/** `$` or `US$`, for the prefix of a money field. */
export function formatCurrencySymbol(currency: string): string {
  const parts = numberFormat({ style: "currency", currency }).formatToParts(0);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}
