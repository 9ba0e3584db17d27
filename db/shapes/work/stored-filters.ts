import * as z from "zod/mini";
import {
  dateException,
  extraRule,
  limits,
  LIMITS,
  MAX_DATES,
  MAX_EXTRA_RULES,
  NO_LIMITS,
  type DateException,
  type ExtraRule,
  type Limit,
  type Limits,
} from "./filters.ts";
import { localDate } from "./local-date.ts";
import { isRecord } from "../versioned.ts";

/** The strictest of each limit. */
const STRICTEST: Limits = {
  blocksPerDay: 1,
  minutesPerDay: 1,
  minutesPerWeek: 1,
  restMinutes: 24 * 60,
  travelMinutes: 24 * 60,
  weekGoalCents: 1,
};

/** Parses a warehouse's stored rules beside the first. A malformed one is left out, so that it lets nothing through. */
export function readExtraRules(stored: unknown): ExtraRule[] {
  const rules = itemsOf(stored).flatMap((item) => z.safeParse(extraRule, item).data ?? []);
  const first = rules.filter(
    ({ ruleId }, index) => rules.findIndex((other) => other.ruleId === ruleId) === index,
  );
  return first.slice(0, MAX_EXTRA_RULES);
}

/** Parses stored limits. A malformed one becomes the strictest, so that it is never exceeded. */
export function readLimits(stored: unknown): Limits {
  if (!isRecord(stored)) return STRICTEST;
  const read = LIMITS.map((limit): [Limit, number | null] => {
    const value = z.safeParse(limits.shape[limit], stored[limit]);
    return [limit, value.success ? value.data : STRICTEST[limit]];
  });
  return { ...NO_LIMITS, ...Object.fromEntries(read) };
}

/** Parses stored dates. A malformed one makes the dates that it names days off. */
export function readDates(stored: unknown): DateException[] {
  const read = itemsOf(stored).flatMap((item) => z.safeParse(dateException, item).data ?? toDayOff(item));
  return read.slice(0, MAX_DATES);
}

function toDayOff(item: unknown): DateException[] {
  if (!isRecord(item)) return [];
  const [from, to] = [item["from"] ?? item["date"] ?? item["monday"], item["to"] ?? item["date"]];
  const [first, last] = [z.safeParse(localDate, from), z.safeParse(localDate, to ?? from)];
  if (!first.success || !last.success || last.data < first.data) return [];
  return [{ kind: "off", from: first.data, to: last.data }];
}

function itemsOf(stored: unknown): readonly unknown[] {
  return Array.isArray(stored) ? stored : [];
}
