import type { Cents, DurationMs, EpochMs, MinuteOfDay } from "../../../durable/engine/units.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../durable/engine/units.ts";
import { m } from "../../messages/messages.js";
import { currentLocale } from "./locale.ts";

/** The regions whose drivers are meant: they decide on the currency's sign and on the clock. */
const TAGS = { en: "en-US", es: "es-US", pt: "pt-BR" } as const;

/** A Monday, at midnight UTC: for the names of weekdays. */
const MONDAY = Date.UTC(2024, 0, 1);

const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const tag = TAGS[currentLocale()];
  const key = `date ${tag} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known instanceof Intl.DateTimeFormat) return known;
  const made = new Intl.DateTimeFormat(tag, options);
  formats.set(key, made);
  return made;
}

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const tag = TAGS[currentLocale()];
  const key = `number ${tag} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known instanceof Intl.NumberFormat) return known;
  const made = new Intl.NumberFormat(tag, options);
  formats.set(key, made);
  return made;
}

/** `$98`, `$28.50`. */
export function sayMoney(amount: Cents, currency: string): string {
  return numbers({ style: "currency", currency, trailingZeroDisplay: "stripIfInteger" }).format(amount / 100);
}

/** `$90.62`, `-$2.00`: to the cent, where figures stand under one another. */
export function sayExactMoney(amount: Cents, currency: string): string {
  return numbers({ style: "currency", currency }).format(amount / 100);
}

/** `$28/h`, of a block's pay and length. */
export function sayRate(
  { payCents, startsAt, endsAt }: { payCents: Cents; startsAt: EpochMs; endsAt: EpochMs },
  currency: string,
): string {
  const hourly = Math.floor((payCents * HOUR_MS) / (endsAt - startsAt));
  return m.unit_per_hour({ money: sayMoney(hourly, currency) });
}

/** `1,204`. */
export function sayCount(count: number): string {
  return numbers({}).format(count);
}

/** `Tue 4:30 PM`. */
export function sayDayTime(at: EpochMs, timeZone: string): string {
  return dates({ weekday: "short", hour: "numeric", minute: "2-digit", timeZone }).format(at);
}

/** `Sat, Dec 5, 2:10 PM`. */
export function sayDateTime(at: EpochMs, timeZone?: string): string {
  return dates({
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    ...(timeZone ? { timeZone } : {}),
  }).format(at);
}

/** `Sat, Dec 5`. */
export function sayDate(at: EpochMs, timeZone: string): string {
  return dates({ weekday: "short", month: "short", day: "numeric", timeZone }).format(at);
}

/** `4:30 PM to 8:00 PM`. */
export function sayClocks(
  { startsAt, endsAt }: { startsAt: EpochMs; endsAt: EpochMs },
  timeZone: string,
): string {
  return m.time_span({ start: sayTime(startsAt, timeZone), end: sayTime(endsAt, timeZone) });
}

/** `4:30 PM`. */
export function sayTime(at: EpochMs, timeZone: string): string {
  return dates({ hour: "numeric", minute: "2-digit", timeZone }).format(at);
}

/** `4:30:07 PM`. */
export function sayTimeToTheSecond(at: EpochMs, timeZone?: string): string {
  return dates({
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    ...(timeZone ? { timeZone } : {}),
  }).format(at);
}

/** `4:30 PM`, of a wall clock. */
export function sayMinuteOfDay(minute: MinuteOfDay): string {
  return sayTime(MONDAY + minute * MINUTE_MS, "UTC");
}

/** `Monday` or `Mon`; 1 is Monday, as ISO counts. */
export function sayWeekday(weekday: number, width: "long" | "short" = "long"): string {
  return dates({ weekday: width, timeZone: "UTC" }).format(MONDAY + (weekday - 1) * DAY_MS);
}

/** `Mon, Tue and Fri`. */
export function sayList(words: readonly string[], type: Intl.ListFormatType = "conjunction"): string {
  return new Intl.ListFormat(TAGS[currentLocale()], { type, style: "short" }).format(words);
}

/** `3.5`, of minutes. */
export function sayHoursFigure(minutes: number): string {
  return numbers({ maximumFractionDigits: 2 }).format(minutes / 60);
}

/** `3.5 h`, of a block's length. */
export function sayLength({ startsAt, endsAt }: { startsAt: EpochMs; endsAt: EpochMs }): string {
  return m.unit_hours({ hours: sayHoursFigure((endsAt - startsAt) / MINUTE_MS) });
}

/** `45 min`, `3 h 20 min`, `2 days, 4 h`; whole minutes, rounded down. */
export function sayDuration(ms: DurationMs): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return m.unit_less_minute();
  if (minutes < 60) return m.unit_minutes({ minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    const rest = minutes % 60;
    return rest === 0 ? m.unit_hours({ hours }) : m.unit_hours_minutes({ hours, minutes: rest });
  }
  const days = Math.floor(hours / 24);
  const rest = hours % 24;
  return days >= 7 || rest === 0 ? sayDays(days) : m.unit_days_hours({ days: sayDays(days), hours: rest });
}

/** `1 day`, `12 days`. */
export function sayDays(count: number): string {
  return count === 1 ? m.unit_days_one() : m.unit_days_other({ count: sayCount(count) });
}

/** `5 seconds ago`. */
export function sayAgo(ms: DurationMs): string {
  const tag = TAGS[currentLocale()];
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: "always", style: "short" });
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return relative.format(-seconds, "second");
  if (seconds < 5400) return relative.format(-Math.round(seconds / 60), "minute");
  return relative.format(-Math.round(seconds / 3600), "hour");
}

const METERS_PER_FOOT = 0.3048;
const FEET_PER_MILE = 5280;

/** `350 ft`, `1.2 mi`; `110 m`, `1,9 km` where the region measures so. */
export function sayDistance(meters: number): string {
  const say = (value: number, unit: string, maximumFractionDigits = 0) =>
    numbers({ style: "unit", unit, maximumFractionDigits }).format(value);
  if (currentLocale() === "pt") {
    return meters < 1000 ? say(Math.round(meters), "meter") : say(meters / 1000, "kilometer", 1);
  }
  const feet = meters / METERS_PER_FOOT;
  return feet < 1000 ? say(Math.round(feet), "foot") : say(feet / FEET_PER_MILE, "mile", 1);
}

/** `$` or `US$`: the sign that stands before a field for money. */
export function sayCurrencySign(currency: string): string {
  const parts = numbers({ style: "currency", currency }).formatToParts(0);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}
