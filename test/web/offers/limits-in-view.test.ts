import { expect, it } from "vitest";
import type { UsedLimit } from "../../../db/shapes/work/used-limit.ts";
import { limitsInView } from "../../../web/features/dashboard/limits-used.tsx";
import { at, NOON } from "../../engine/fixtures.ts";

const blocks = (date: string, used: number): UsedLimit => ({
  limit: "blocksPerDay",
  used,
  most: 4,
  from: date,
  until: date,
});
const hours = (from: string, until: string, used: number): UsedLimit => ({
  limit: "minutesPerWeek",
  used,
  most: 600,
  from,
  until,
});
const THIS_WEEK = ["2026-06-08", "2026-06-14"] as const;
const NEXT_WEEK = ["2026-06-15", "2026-06-21"] as const;

const TODAY = "today 2026-06-10";
const TOMORROW = "day 2026-06-11";

it.each<[name: string, now: number, used: UsedLimit[], seen: string[]]>([
  ["nothing without limits", NOON, [], []],
  ["today alone where it has room", NOON, [blocks("2026-06-10", 3), blocks("2026-06-11", 1)], [TODAY]],
  [
    "tomorrow too where today is full",
    NOON,
    [blocks("2026-06-10", 4), blocks("2026-06-11", 1)],
    [TODAY, TOMORROW],
  ],
  [
    "the week after the day, and the next week once this one is full",
    at("2026-06-14T12:00:00-04:00"),
    [hours(...THIS_WEEK, 600), hours(...NEXT_WEEK, 0), blocks("2026-06-14", 1), blocks("2026-06-15", 0)],
    ["today 2026-06-14", "this_week 2026-06-08", "next_week 2026-06-15"],
  ],
  [
    "this week alone where it has room",
    at("2026-06-14T12:00:00-04:00"),
    [hours(...THIS_WEEK, 599), hours(...NEXT_WEEK, 0)],
    ["this_week 2026-06-08"],
  ],
  [
    "what yesterday's snapshot knew of today",
    at("2026-06-11T09:00:00-04:00"),
    [blocks("2026-06-10", 4), blocks("2026-06-11", 1)],
    ["today 2026-06-11"],
  ],
  ["nothing of days that are over", at("2026-06-12T09:00:00-04:00"), [blocks("2026-06-10", 4)], []],
  [
    "the first date of warehouses further east by its name",
    at("2026-06-09T23:30:00-04:00"),
    [blocks("2026-06-10", 1), blocks("2026-06-11", 1)],
    ["day 2026-06-10"],
  ],
])("the dashboard shows %s", (_name, now, usedLimits, seen) => {
  const periods = limitsInView({ usedLimits, timeZone: "America/New_York" }, now);
  expect(periods.map(({ name, from }) => `${name} ${from}`)).toEqual(seen);
});
