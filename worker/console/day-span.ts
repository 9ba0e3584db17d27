import { Temporal } from "temporal-polyfill";
import type { DaySpan } from "../../db/queries/operators/money.ts";
import { ApiError } from "../http/errors/api-error.ts";

/** The most days of one call. */
const MOST_DAYS = 366;

/**
 * The calendar days from one to another, both included, as they begin and end in a time zone.
 * @throws {ApiError} `invalid_request` for days or a zone that don't exist, and for too many days
 */
export function daysIn({ from, to, zone }: { from: string; to: string; zone: string }): DaySpan[] {
  const first = parse("from", () => Temporal.PlainDate.from(from));
  const last = parse("to", () => Temporal.PlainDate.from(to));
  const count = first.until(last, { largestUnit: "day" }).days + 1;
  if (count < 1) throw new ApiError("invalid_request", { fields: { to: "too_small" } });
  if (count > MOST_DAYS) throw new ApiError("invalid_request", { fields: { from: "too_small" } });
  const startOf = (day: Temporal.PlainDate) =>
    parse("zone", () => day.toZonedDateTime(zone).epochMilliseconds);
  return Array.from({ length: count }, (_, index) => {
    const day = first.add({ days: index });
    return { day: day.toString(), from: startOf(day), to: startOf(day.add({ days: 1 })) };
  });
}

function parse<Value>(field: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new ApiError("invalid_request", { fields: { [field]: "invalid" } });
  }
}
