import { LANGUAGE_FACTS, type Language } from "../db/shapes/language.ts";
import { makeDateFormat } from "../db/shapes/time-zone.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Cents, type DurationMs, type EpochMs } from "../db/shapes/units.ts";

/** Within this distance from now each weekday occurs once, so its name is unambiguous. */
const WEEKDAY_IS_CLEAR_MS = 6 * DAY_MS;

/** A Monday at midnight UTC, to format weekday names from. */
const MONDAY = Date.UTC(2024, 0, 1);

/** The moment at which a time is read, and the zone that it is shown in. */
export type ReadingTime = { now: EpochMs; timeZone: string };

const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

/** A date format of the language; made once, since making one is slow. */
export function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = dateFormats.get(key) ?? makeDateFormat(LANGUAGE_FACTS[language].tag, options);
  dateFormats.set(key, format);
  return format;
}

/** A number format of the language; made once, since making one is slow. */
export function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(LANGUAGE_FACTS[language].tag, options);
  numberFormats.set(key, format);
  return format;
}

/** `now`, `5 min. ago`, or with `narrow` `5m ago`. Portuguese loses its last period (`há 5 min.`): the sentence has its own. */
export function formatElapsed(
  language: Language,
  count: number,
  { unit, style }: { unit: "second" | "minute" | "hour"; style: "short" | "narrow" },
): string {
  const numeric = count === 0 && unit === "second" ? "auto" : "always";
  const format = new Intl.RelativeTimeFormat(LANGUAGE_FACTS[language].tag, { numeric, style });
  const text = format.format(-count, unit).replace(/\.$/, "");
  // No line break between the figure and its unit.
  return text.replace(/(\d) /, "$1\u00a0");
}

/** `Monday`, or `Mon`. */
export function formatWeekday(language: Language, weekday: number, width: "long" | "short" = "long"): string {
  return dateFormat(language, { weekday: width, timeZone: "UTC" }).format(MONDAY + (weekday - 1) * DAY_MS);
}

/** `Mon, Tue and Fri`. */
export function formatList(language: Language, items: readonly string[], type: Intl.ListFormatType): string {
  return new Intl.ListFormat(LANGUAGE_FACTS[language].tag, { type, style: "short" }).format(items);
}

/** `$98`, `$28.50`. */
export function formatMoney(language: Language, amount: Cents, currency: string): string {
  return numberFormat(language, {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  }).format(amount / 100);
}

/** `3.5`, from minutes. */
export function formatHours(language: Language, minutes: number): string {
  return numberFormat(language, { maximumFractionDigits: 2 }).format(minutes / 60);
}

/** Any number that takes the plural in every language. */
const SEVERAL = 2;

/**
 * The inputs of a message that counts: `count` chooses the plural form, `figure` (`1,204`) is shown. None is several:
 * people write '0 pontos', though to Intl a Portuguese nought is one.
 */
export function countInputs(language: Language, count: number): { count: number; figure: string } {
  return { count: count === 0 ? SEVERAL : count, figure: numberFormat(language, {}).format(count) };
}

/**
 * `4:30 PM` today, `Tue 4:30 PM` in the days around, `Dec 5, 4:30 PM` further away: the day is named unless it is
 * today in the time zone. With `seconds`, `4:30:07 PM`.
 */
export function formatTime(
  language: Language,
  at: EpochMs,
  { seconds = false, ...reading }: ReadingTime & { seconds?: boolean },
): string {
  return timeFormat(language, at, { seconds, ...reading }).format(at);
}

/**
 * As `formatTime`, for a message that says 'until' before it. Spanish needs an article there: `las 4:30 p.m.`,
 * `la 1:10 p.m.`, `el mar 4:30 p.m.`.
 */
export function formatUntil(
  language: Language,
  at: EpochMs,
  { seconds = false, ...reading }: ReadingTime & { seconds?: boolean },
): string {
  const format = timeFormat(language, at, { seconds, ...reading });
  if (language !== "es") return format.format(at);
  if (!isSameDay(at, reading)) return `el ${format.format(at)}`;
  const hour = format.formatToParts(at).find(({ type }) => type === "hour")?.value;
  return `${hour === "1" ? "la" : "las"} ${format.format(at)}`;
}

/** `4:30 PM`, where the day is named beside it or there is none. */
export function formatClock(language: Language, at: EpochMs, timeZone: string): string {
  return dateFormat(language, {
    hour: LANGUAGE_FACTS[language].hourStyle,
    minute: "2-digit",
    timeZone,
  }).format(at);
}

/** `Sun, Nov 22`, `dom, 22 nov`, `dom., 22/11`: short enough to share a phone's line with time, length and pay. */
export function formatDate(language: Language, at: EpochMs, timeZone: string): string {
  const day = SHORT_DAYS[LANGUAGE_FACTS[language].shortDay];
  // Spanish has `dom, 22 de nov`.
  return dateFormat(language, { weekday: "short", ...day, timeZone })
    .format(at)
    .replace(" de ", " ");
}

/** `November 22, 2026`: for what is kept for years. */
export function formatLongDate(language: Language, at: EpochMs, timeZone: string): string {
  return dateFormat(language, { dateStyle: "long", timeZone }).format(at);
}

/** Which parts of a day name it shortest, in `LANGUAGE_FACTS`. */
const SHORT_DAYS = {
  "named month": { month: "short", day: "numeric" },
  figures: { month: "2-digit", day: "2-digit" },
} as const;

function timeFormat(
  language: Language,
  at: EpochMs,
  { now, timeZone, seconds }: ReadingTime & { seconds: boolean },
): Intl.DateTimeFormat {
  return dateFormat(language, {
    ...dayOptions(),
    hour: LANGUAGE_FACTS[language].hourStyle,
    minute: "2-digit",
    ...(seconds ? { second: "2-digit" } : {}),
    timeZone,
  });

  function dayOptions(): Intl.DateTimeFormatOptions {
    if (isSameDay(at, { now, timeZone })) return {};
    return Math.abs(at - now) < WEEKDAY_IS_CLEAR_MS
      ? { weekday: "short" }
      : { month: "short", day: "numeric" };
  }
}

function isSameDay(at: EpochMs, { now, timeZone }: ReadingTime): boolean {
  const day = dateFormat("en", { year: "numeric", month: "numeric", day: "numeric", timeZone });
  return day.format(at) === day.format(now);
}

/** `2.5 days`, `3 hours`, `1 minute`: in the largest unit of which there is one. */
export function formatServiceTime(language: Language, lengthMs: DurationMs): string {
  const [unit, unitMs] =
    lengthMs >= DAY_MS
      ? (["day", DAY_MS] as const)
      : lengthMs >= HOUR_MS
        ? (["hour", HOUR_MS] as const)
        : (["minute", MINUTE_MS] as const);
  return numberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: 1,
  }).format(Math.max(lengthMs / unitMs, 0.1));
}
