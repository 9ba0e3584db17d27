import type { RevenueLine } from "../../../worker/contract/console/operator-money.ts";
import { groupBy } from "../../../db/shapes/group-by.ts";

/** Calendar days, both included, as `2026-11-22`. */
export type Days = { from: string; to: string };

const DAY_MS = 86_400_000;
const MOST_DAYS = 366;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** How many days up to today a span can be chosen by. */
export const SPANS = [1, 7, 30, 90] as const;

/** So many days, of which today is the last. */
export function daysUpTo(today: string, count: number): Days {
  return { from: new Date(Date.parse(today) - (count - 1) * DAY_MS).toISOString().slice(0, 10), to: today };
}

/** The days that are in order and not too many; null for others. */
export function parseDays({ from, to }: Days): Days | null {
  if (!DAY.test(from) || !DAY.test(to)) return null;
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return count >= 1 && count <= MOST_DAYS ? { from, to } : null;
}

/** The days in an address; the last 30 where there are none. */
export function daysOfSearch(search: string, today: string): Days {
  const params = new URLSearchParams(search);
  return parseDays({ from: params.get("from") ?? "", to: params.get("to") ?? "" }) ?? daysUpTo(today, 30);
}

/** Each of the days. */
export function keysOf({ from, to }: Days): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Each day at its midnight where the operator is, for the picture's axis. */
export function midnightsOf(keys: readonly string[]): number[] {
  return keys.map((key) => new Date(`${key}T00:00`).getTime());
}

/** Money in and money back. */
export type Revenue = Pick<RevenueLine, "payments" | "grossCents" | "refundedCents" | "disputedCents">;

/** Adds lines up, by day or by plan, in the order in which those come. */
export function sumBy(
  lines: readonly RevenueLine[],
  keyOf: (line: RevenueLine) => string,
): ({ key: string } & Revenue)[] {
  return [...groupBy(lines, keyOf)].map(([key, group]) => ({ key, ...sumOf(group) }));
}

/** Adds lines up. */
export function sumOf(lines: readonly Revenue[]): Revenue {
  const total = (figure: keyof Revenue) => lines.reduce((sum, line) => sum + line[figure], 0);
  return {
    payments: total("payments"),
    grossCents: total("grossCents"),
    refundedCents: total("refundedCents"),
    disputedCents: total("disputedCents"),
  };
}

/** The rest of it. */
export function netOf({ grossCents, refundedCents, disputedCents }: Revenue): number {
  return grossCents - refundedCents - disputedCents;
}
