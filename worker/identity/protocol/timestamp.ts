import type { EpochMs } from "../../../db/shapes/units.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SHAPE = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2}) UTC (\d{4})$/;

/** As clients sign it: `Sat Nov 7 01:02:03 UTC 2026`, the day without a leading zero. */
export function formatTimestamp(at: EpochMs): string {
  const date = new Date(at);
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()} ${time} UTC ${date.getUTCFullYear()}`;
}

/**
 * Reads a signed timestamp. `other` is a readable one that is not spelt as `formatTimestamp` would
 * (a padded day, a wrong weekday): the real service signs over its own spelling, so such a proof fails.
 */
export function parseTimestamp(
  text: string,
): { kind: "at"; at: EpochMs } | { kind: "other" } | { kind: "unreadable" } {
  const [, month, day, hours, minutes, seconds, year] = SHAPE.exec(text) ?? [];
  const monthIndex = MONTHS.indexOf(month ?? "");
  if (monthIndex < 0) return { kind: "unreadable" };
  const at = Date.UTC(Number(year), monthIndex, Number(day), Number(hours), Number(minutes), Number(seconds));
  return formatTimestamp(at) === text ? { kind: "at", at } : { kind: "other" };
}
