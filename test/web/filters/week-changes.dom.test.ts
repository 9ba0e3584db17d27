import { act, screen, within } from "@testing-library/react";
import { createElement, useState } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { DateException, DaySchedule } from "../../../db/shapes/work/filters.ts";
import { toDraft, type Draft } from "../../../web/features/filters/draft.ts";
import { WeekEditor } from "../../../web/features/filters/week-editor.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeFilters, week } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
// A Thursday.
beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 10, 26, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const [MORNING, EVENING] = [8 * 60, 18 * 60];
/** From Monday to Friday, in the daytime. */
const WEEKDAYS = week(MORNING, EVENING, [1, 2, 3, 4, 5]);
const NEXT_MONDAY = "2026-11-30";
const hoursOf = ({ active, start, end }: DaySchedule) => (active ? [start, end] : null);

async function openWeek(...dates: DateException[]) {
  let current: Draft = { ...toDraft(makeFilters({ schedule: WEEKDAYS }), []), dates };
  function Screen() {
    const [draft, setDraft] = useState(current);
    current = draft;
    return createElement(WeekEditor, { draft, onChange: setDraft });
  }
  const toasts = watchToasts();
  const { user } = await renderPart(createElement(Screen));
  const button = (name: string | RegExp) => screen.getByRole("button", { name });
  /** A time is chosen by its minute of the day. */
  const choose = (label: string, option: string) => user.selectOptions(screen.getByLabelText(label), option);
  return {
    user,
    toasts,
    button,
    choose,
    press: (name: string | RegExp) => user.click(button(name)),
    flip: (day: string) => user.click(screen.getByRole("switch", { name: `Work on ${day}` })),
    /** Opens the hours of a day. */
    open: (day: string) => user.click(button(new RegExp(`^${day}`, "u"))),
    pressed: () => screen.getAllByRole("button", { pressed: true }).map(({ textContent }) => textContent),
    hours: () => current.schedule.map(hoursOf),
    dates: () => current.dates,
  };
}

const WORKED = [MORNING, EVENING];
const OFF = null;

it("changes a day's hours, one day open at a time, and copies them to the other days that are on", async () => {
  const { open, press, choose, button, hours, toasts, pressed } = await openWeek();
  await open("Tuesday");
  expect(button(/^Tuesday/u).getAttribute("aria-expanded")).toBe("true");
  await choose("Tuesday, from", "600");
  await choose("Tuesday, to", "120");
  expect(screen.getByText("until 2:00 AM the next day")).toBeTruthy();
  const tuesday = [600, 120];
  expect(hours()).toEqual([WORKED, tuesday, WORKED, WORKED, WORKED, OFF, OFF]);
  await press("Copy Tuesday to all active days");
  expect(toasts()).toEqual([{ text: "Tuesday's hours are now on all active days. Save to keep them." }]);
  expect(hours()).toEqual([...Array.from({ length: 5 }, () => tuesday), OFF, OFF]);
  expect(pressed()).toEqual(["Every week", "Weekdays"]);
  await open("Friday");
  expect([/^Tuesday/u, /^Friday/u].map((day) => button(day).getAttribute("aria-expanded"))).toEqual([
    "false",
    "true",
  ]);
});

it("has a day that is turned on again with the hours that it had", async () => {
  const { flip, hours } = await openWeek();
  await flip("Monday");
  await flip("Saturday");
  expect(hours()).toEqual([OFF, WORKED, WORKED, WORKED, WORKED, WORKED, OFF]);
  await flip("Monday");
  expect(hours()[0]).toEqual(WORKED);
});

it("sets days and hours by one press each, and shows which they are until a day differs", async () => {
  const { press, flip, hours, pressed } = await openWeek();
  expect(pressed()).toEqual(["Every week", "Weekdays", "Daytime"]);
  await press("Weekend");
  await press("Evenings");
  const evening = [1_020, 1_380];
  expect(hours()).toEqual([OFF, OFF, OFF, OFF, OFF, evening, evening]);
  expect(pressed()).toEqual(["Every week", "Weekend", "Evenings"]);
  // Its own hours are those of the daytime.
  await flip("Monday");
  expect(pressed()).toEqual(["Every week"]);
  await press("All day");
  expect(hours()).toEqual([[0, 0], OFF, OFF, OFF, OFF, [0, 0], [0, 0]]);
});

it("changes one week alone, until it is as every week again", async () => {
  const { press, flip, hours, dates, pressed } = await openWeek();
  await press("Next week");
  await flip("Monday");
  const [monday, ...others] = WEEKDAYS;
  const schedule = [{ ...monday, active: false }, ...others];
  expect(dates()).toEqual([{ kind: "week", monday: NEXT_MONDAY, schedule }]);
  expect(hours()[0]).toEqual(WORKED);
  await press("This week");
  expect(pressed()).toEqual(["This week", "Weekdays", "Daytime"]);
  await press("Next week");
  expect(pressed()).toEqual(["Next week", "Daytime"]);
  await flip("Monday");
  expect(dates()).toEqual([]);
});

const ADD = "Add a day off or other hours";

it("adds days off, the last of which is never before the first", async () => {
  const { press, choose, dates } = await openWeek();
  await press(ADD);
  const sheet = within(screen.getByRole("dialog", { name: "Day off or other hours" }));
  expect(sheet.getByRole("status").textContent).toBe("Fri, Nov 27: Off");
  await choose("First day off, month", "December 2026");
  await choose("First day off, day", "Thu, Dec 31");
  expect(sheet.getByRole("status").textContent).toBe("Thu, Dec 31: Off");
  await choose("Last day off, month", "January 2027");
  await choose("Last day off, day", "Sat, Jan 2");
  await press("Add");
  expect(dates()).toEqual([{ kind: "off", from: "2026-12-31", to: "2027-01-02" }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("adds other hours of a day in place of those that it had", async () => {
  const { press, choose, user, dates, button } = await openWeek({
    kind: "hours",
    date: "2026-11-27",
    start: 60,
    end: 120,
  });
  await press(ADD);
  await user.click(screen.getByRole("radio", { name: "Other hours on one day" }));
  await choose("From", "1020");
  await choose("To", "1320");
  await press("Add");
  expect(dates()).toEqual([{ kind: "hours", date: "2026-11-27", start: 1_020, end: 1_320 }]);
  expect(button("Remove: Fri, Nov 27")).toBeTruthy();
});

it("brings a removed date back in its place, and the focus with it", async () => {
  const kept: DateException[] = [
    { kind: "off", from: "2026-11-27", to: "2026-11-27" },
    { kind: "off", from: "2026-12-01", to: "2026-12-01" },
  ];
  const { press, button, dates } = await openWeek(...kept);
  await press("Remove: Fri, Nov 27");
  expect(screen.getByText("Removed: Fri, Nov 27")).toBeTruthy();
  expect(document.activeElement).toBe(button("Undo"));
  await press("Undo");
  expect(dates()).toEqual(kept);
  expect(document.activeElement).toBe(button("Remove: Fri, Nov 27"));
  await press("Remove: Fri, Nov 27");
  // Added anew, it can't come back beside itself.
  await press(ADD);
  await press("Add");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(dates()).toEqual(kept.toReversed());
});

it("edits the week that begins at Sunday's midnight once this week is over, and the next week as itself", async () => {
  vi.setSystemTime(new Date(2026, 10, 29, 23, 59));
  const { press, flip, dates, pressed } = await openWeek();
  await press("Next week");
  await flip("Monday");
  await press("This week");
  vi.setSystemTime(new Date(2026, 10, 30, 0, 1));
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  expect(pressed()).toContain("This week");
  expect(screen.getByText(/^Only Mon, Nov 30/u)).toBeTruthy();
  await flip("Tuesday");
  expect(dates()).toMatchObject([
    {
      kind: "week",
      monday: NEXT_MONDAY,
      schedule: [{ active: false }, { active: false }, {}, {}, {}, {}, {}],
    },
  ]);
});
