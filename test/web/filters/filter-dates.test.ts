import { expect, it } from "vitest";
import * as z from "zod/mini";
import { warehouseId } from "../../../db/shapes/units.ts";
import {
  INITIAL_RULE,
  type DateException,
  type DaySchedule,
  type RuleHours,
  type WeekSchedule,
} from "../../../db/shapes/work/filters.ts";
import { toDraft, type Draft } from "../../../web/features/filters/draft.ts";
import {
  canRestoreDate,
  dayOn,
  keyOfDate,
  mondayOf,
  restoreDate,
  scheduleOfWeek,
  toRemovedDate,
  upcomingDates,
  withDate,
  withoutDate,
  withWeek,
} from "../../../web/features/filters/dates/dates.ts";
import { formatException } from "../../../web/features/filters/dates/date-labels.ts";
import { dayNotes } from "../../../web/features/filters/dates/day-notes.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";

const DAY: DaySchedule = { active: true, start: 570, end: 1080 };
const OFF: DaySchedule = { ...DAY, active: false };
const WEEK: WeekSchedule = [DAY, DAY, DAY, DAY, DAY, OFF, OFF];
const draftOf = (...dates: DateException[]): Draft => ({
  ...toDraft(permissiveFilters([]), []),
  schedule: WEEK,
  dates,
});

/** A Thursday. */
const TODAY = "2026-11-26";
const vacation: DateException = { kind: "off", from: "2026-11-26", to: "2026-11-28" };
const evening: DateException = { kind: "hours", date: "2026-11-27", start: 1020, end: 1320 };
const week: DateException = {
  kind: "week",
  monday: "2026-11-23",
  schedule: [OFF, OFF, OFF, OFF, OFF, DAY, DAY],
};

it.each([
  ["2026-11-23", "2026-11-23"],
  ["2026-11-26", "2026-11-23"],
  ["2026-11-29", "2026-11-23"],
  ["2027-01-01", "2026-12-28"],
])("the Monday of %s is %s", (date, monday) => {
  expect(mondayOf(date)).toBe(monday);
});

it("lets days off hold before one date's hours, those before the week's own, and these before every week's", () => {
  expect(dayOn(draftOf(week, evening, vacation), "2026-11-27").active).toBe(false);
  expect(dayOn(draftOf(vacation, evening, week), "2026-11-27").active).toBe(false);
  expect(dayOn(draftOf(evening, week), "2026-11-27")).toEqual({ active: true, start: 1020, end: 1320 });
  expect(dayOn(draftOf(week), "2026-11-29")).toEqual(DAY);
  expect(dayOn(draftOf(week), "2026-12-06")).toEqual(OFF);
  const later: DateException = { ...evening, start: 600, end: 660 };
  expect(dayOn(draftOf(evening, later), "2026-11-27").start).toBe(600);
});

it("lists what is to come by its first day, and no longer what is over", () => {
  const over: DateException = { kind: "off", from: "2026-11-20", to: "2026-11-25" };
  const christmas: DateException = { kind: "off", from: "2026-12-25", to: "2026-12-25" };
  expect(upcomingDates([christmas, over, vacation, week], TODAY)).toEqual([week, vacation, christmas]);
  expect(withDate(draftOf(over), christmas, Date.parse("2026-11-26T18:00Z")).dates).toEqual([
    over,
    christmas,
  ]);
  expect(withDate(draftOf(over), christmas, Date.parse("2026-11-28T18:00Z")).dates).toEqual([christmas]);
});

it("replaces what is for the same dates, and takes it back", () => {
  const later: DateException = { ...evening, start: 600, end: 660 };
  const draft = withDate(draftOf(evening, vacation), later, Date.parse(TODAY));
  expect(draft.dates).toEqual([vacation, later]);
  expect(withoutDate(draft, evening).dates).toEqual([vacation]);
  expect(keyOfDate(evening)).toBe("hours 2026-11-27 2026-11-27");
});

it("keeps a schedule of one week's own until that is the one of every week", () => {
  const own = withWeek(draftOf(vacation), "2026-11-23", week.schedule);
  expect(own.dates).toEqual([vacation, week]);
  expect(scheduleOfWeek(own, "2026-11-23")).toEqual(week.schedule);
  expect(scheduleOfWeek(own, "2026-11-30")).toEqual(WEEK);
  expect(withWeek(own, "2026-11-23", WEEK)).toEqual(draftOf(vacation));
});

it("notes on a weekday what its next date has instead, or the date in the week that is edited", () => {
  const draft = draftOf(vacation, week);
  const notesOf = (index: number, monday?: string) =>
    dayNotes(draft, {
      index,
      day: monday ? (scheduleOfWeek(draft, monday)[index] ?? DAY) : (WEEK[index] ?? DAY),
      scope: monday ? { kind: "one", monday } : { kind: "every" },
      today: TODAY,
    }).notes;
  // Thursday and Friday are days off of the vacation, Saturday too, which is off anyway; Sunday is on in this week alone.
  expect([0, 1, 2, 3, 4, 5, 6].map((index) => notesOf(index))).toEqual([
    [],
    [],
    [],
    ["Thu, Nov 26: Off"],
    ["Fri, Nov 27: Off"],
    [],
    ["Sun, Nov 29: 9:30\u00a0AM to 6:00\u00a0PM"],
  ]);
  expect(notesOf(5, "2026-11-23")).toEqual(["Sat, Nov 28: Off"]);
  expect(notesOf(6, "2026-11-23")).toEqual([]);
});

it("shows the hours that rules of selected warehouses add to a day, and none that the day has anyway", () => {
  const [selected, other] = ["w1", "w2"].map((id) => permissiveWarehouseFilter(z.parse(warehouseId, id)));
  const hoursOf = (start: number, end: number, ...days: number[]) => ({ days, start, end });
  const withHours = (rule: typeof selected, ...hours: RuleHours[]) => ({
    ...(rule ?? permissiveWarehouseFilter(z.parse(warehouseId, "w3"))),
    extraRules: hours.map((own, index) => ({ ruleId: String(index), name: "", hours: own, ...INITIAL_RULE })),
  });
  const filters = permissiveFilters([
    withHours(
      selected,
      hoursOf(1320, 120, 5, 7),
      hoursOf(600, 660, 4, 5),
      hoursOf(1320, 120, 5),
      hoursOf(480, 600, 3),
    ),
    { ...withHours(other, hoursOf(0, 60, 5)), selected: false },
  ]);
  const draft = { ...toDraft(filters, []), schedule: WEEK };
  const noteOf = (index: number) =>
    dayNotes(draft, { index, day: WEEK[index] ?? DAY, scope: { kind: "every" }, today: TODAY });
  expect(noteOf(3)).toEqual({ also: [], notes: [] });
  // They end within the day's hours, and begin before.
  expect(noteOf(2).also).toEqual([{ from: 480, to: 600 }]);
  const night = [
    { from: 1320, to: 1440 },
    { from: 0, to: 120 },
  ];
  const note = "Your rules add 10:00\u00a0PM to 2:00\u00a0AM the next day";
  expect(noteOf(4)).toEqual({ also: night, notes: [note] });
  expect(noteOf(6)).toEqual({ also: night, notes: [note] });
});

it("puts a removed date back in its place, unless another took its place or there is no room", () => {
  const draft = draftOf(vacation, evening, week);
  const removed = toRemovedDate(draft, evening);
  const without = withoutDate(draft, evening);
  expect(canRestoreDate(without, removed)).toBe(true);
  expect(restoreDate(without, removed)).toEqual(draft);
  const replaced = withDate(without, { ...evening, start: 600, end: 660 }, Date.parse(TODAY));
  expect(canRestoreDate(replaced, removed)).toBe(false);
  const full = draftOf(
    ...Array.from({ length: 60 }, (_, index): DateException => {
      const date = new Date(Date.parse("2027-01-01") + index * 86_400_000).toISOString().slice(0, 10);
      return { kind: "off", from: date, to: date };
    }),
  );
  expect(canRestoreDate(full, removed)).toBe(false);
});

it("says the hours of a date, and of each day of a week of its own", () => {
  expect([vacation, evening, week].map((date) => formatException(date).replaceAll("\u00a0", " "))).toEqual([
    "Off",
    "5:00 PM to 10:00 PM",
    "Mon: Off; Tue: Off; Wed: Off; Thu: Off; Fri: Off; Sat: 9:30 AM to 6:00 PM; Sun: 9:30 AM to 6:00 PM",
  ]);
});
