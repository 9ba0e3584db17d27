import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { MAX_DATES, type DateException, type WeekSchedule } from "../../../db/shapes/work/filters.ts";
import { dateOfDay, dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { DateList } from "../../../web/features/filters/dates/date-list.tsx";
import { WeekScope, type Scope } from "../../../web/features/filters/dates/week-scope.tsx";
import { DayRow } from "../../../web/features/filters/day-row.tsx";
import { toDraft, type Draft } from "../../../web/features/filters/draft.ts";
import { WeekEditor } from "../../../web/features/filters/week-editor.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeExtraRule, makeFilters, makeWarehouseFilter, week } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 10, 26, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** A Thursday. */
const TODAY = "2026-11-26";
const nothing = () => undefined;

const draftOf = (schedule: WeekSchedule, ...dates: DateException[]): Draft => ({
  ...toDraft(makeFilters({ schedule }), []),
  dates,
});

/** The sheet for a further date is not of the list. */
async function readDates(...dates: DateException[]) {
  const part = createElement(DateList, {
    draft: draftOf(week(0, 0), ...dates),
    onChange: nothing,
    today: TODAY,
  });
  const html = await htmlOfPart(part);
  const [list = ""] = html.split("<dialog");
  return {
    texts: textsIn(list),
    removes: [...list.matchAll(/aria-label="(Remove[^"]*)"/gu)].map(([, name]) => name),
  };
}

const ADD = "Add a day off or other hours";

it("lists the dates to come that differ, each with its hours, under a title", async () => {
  expect(await readDates()).toEqual({ texts: [ADD], removes: [] });
  expect(await readDates({ kind: "off", from: "2026-11-24", to: "2026-11-25" })).toEqual({
    texts: [ADD],
    removes: [],
  });
  expect(
    await readDates(
      { kind: "week", monday: "2026-11-30", schedule: week(0, 0) },
      { kind: "hours", date: "2026-11-27", start: 1_020, end: 1_320 },
      { kind: "off", from: "2026-11-24", to: TODAY },
    ),
  ).toEqual({
    texts: [
      "Special days",
      "Tue, Nov 24 to Thu, Nov 26",
      "Off",
      "Fri, Nov 27",
      "5:00 PM to 10:00 PM",
      "Mon, Nov 30 to Sun, Dec 6",
      "Its own schedule that week",
      ADD,
    ],
    removes: [
      "Remove: Tue, Nov 24 to Thu, Nov 26",
      "Remove: Fri, Nov 27",
      "Remove: Mon, Nov 30 to Sun, Dec 6",
    ],
  });
});

it("takes no further date once there are as many as can be saved", async () => {
  const dates = Array.from({ length: MAX_DATES }, (_, index): DateException => {
    const date = dateOfDay(dayOfDate(TODAY) + index);
    return { kind: "off", from: date, to: date };
  });
  expect((await readDates(...dates)).texts).not.toContain(ADD);
  expect((await readDates(...dates.slice(1))).texts).toContain(ADD);
});

const DAY = { active: true, start: 480, end: 1_080 };
const EVENING = [{ from: 1_020, to: 1_320 }];

async function readDay(fields: Partial<Parameters<typeof DayRow>[0]>) {
  const html = await htmlOfPart(
    createElement(DayRow, {
      name: "Monday",
      shortName: "Mon",
      day: DAY,
      isOpen: false,
      onToggle: nothing,
      onChange: nothing,
      onCopy: nothing,
      ...fields,
    }),
  );
  const [, bar] = html.split("h-1 overflow-hidden");
  const [segments = ""] = (bar ?? "").split(/<\/button>|<\/div>/u);
  const count = (color: string) => segments.split(color).length - 1;
  const times = [...html.matchAll(/aria-valuetext="([^"]*)"/gu)].flatMap(([, time = ""]) => textsIn(time));
  return {
    texts: textsIn(html.replaceAll(/<option.*?<\/option>/gu, "")),
    isOn: html.includes('aria-checked="true"'),
    bar: bar === undefined ? null : { own: count("bg-ink"), also: count("bg-edge") },
    times,
  };
}

it("has a day's hours in a line and a bar, and beside them those in which some rule looks", async () => {
  const texts = ["Monday", "Mon", "8:00 AM to 6:00 PM"];
  const closed = { texts, isOn: true, times: [] };
  expect(await readDay({})).toEqual({ ...closed, bar: { own: 1, also: 0 } });
  expect(await readDay({ also: EVENING, notes: ["A note", "Another"] })).toEqual({
    ...closed,
    texts: [...texts, "A note", "Another"],
    bar: { own: 1, also: 1 },
  });
});

it("has no bar on a day off, unless some rule looks then", async () => {
  const day = { ...DAY, active: false };
  const off = { texts: ["Monday", "Mon", "Off"], isOn: false, times: [] };
  expect(await readDay({ day, isOpen: true })).toEqual({ ...off, bar: null });
  expect(await readDay({ day, also: EVENING })).toEqual({ ...off, bar: { own: 0, also: 1 } });
});

it("opens a day's hours for changes", async () => {
  expect(await readDay({ isOpen: true })).toMatchObject({ times: ["8:00 AM", "6:00 PM"] });
});

it.each<[Scope, pressed: string, only: string[]]>([
  [{ kind: "every" }, "Every week", []],
  [
    { kind: "one", monday: "2026-11-23" },
    "This week",
    ["Only Mon, Nov 23 to Sun, Nov 29. All other weeks stay the same."],
  ],
  [
    { kind: "one", monday: "2026-11-30" },
    "Next week",
    ["Only Mon, Nov 30 to Sun, Dec 6. All other weeks stay the same."],
  ],
])("says which week is edited: %o", async (scope, pressed, only) => {
  const html = await htmlOfPart(createElement(WeekScope, { scope, onChoose: nothing, today: TODAY }));
  const [, , , ...after] = textsIn(html).slice(1);
  expect([pressedIn(html), after]).toEqual([[pressed], only]);
});

function pressedIn(html: string): string[] {
  return [...html.matchAll(/aria-pressed="true"[^>]*>(.*?)<\/button>/gu)].flatMap(([, inner = ""]) =>
    textsIn(inner),
  );
}

it("has the seven days, the presets that they are, and the notes of each day", async () => {
  const read = async (draft: Draft) => {
    const html = await htmlOfPart(createElement(WeekEditor, { draft, onChange: nothing }));
    const days = [...html.matchAll(/<li data-testid="day-\d">(.*?)<\/li>/gu)];
    return { pressed: pressedIn(html), days: days.map(([, inner = ""]) => textsIn(inner).slice(1)) };
  };
  const evenings = week(1_020, 1_380, [1, 2, 3, 4, 5]);
  const on = "5:00 PM to 11:00 PM";
  expect(await read(draftOf(evenings, { kind: "off", from: "2026-11-27", to: "2026-11-27" }))).toEqual({
    pressed: ["Every week", "Weekdays", "Evenings"],
    days: [
      ["Mon", on],
      ["Tue", on],
      ["Wed", on],
      ["Thu", on],
      ["Fri", on, "Fri, Nov 27: Off"],
      ["Sat", "Off"],
      ["Sun", "Off"],
    ],
  });
  const extraRules = [makeExtraRule({ hours: { days: [6], start: 480, end: 720 } })];
  const ruled = makeFilters({ schedule: evenings, warehouses: [makeWarehouseFilter({ extraRules })] });
  expect((await read(toDraft(ruled, []))).days.slice(5)).toEqual([
    ["Sat", "Off", "Your rules add 8:00 AM to 12:00 PM"],
    ["Sun", "Off"],
  ]);
});
