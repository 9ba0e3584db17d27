import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { OfferHour } from "../../../db/shapes/work/offer-hours.ts";
import { filtersQuery, warehousesQuery } from "../../../web/api/queries/filters.ts";
import { offerHoursQuery } from "../../../web/api/queries/statistics.ts";
import { HoursScreen } from "../../../web/features/hours/hours-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { BETHPAGE, makeFilters, makeWarehouse, week } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const pay = { medianHourlyCents: 2_700, bestHourlyCents: 3_150, halfGoneMs: null };
/** The first and the last hour of Tuesday, and the first of Wednesday, each for blocks that start an hour later. */
const HOURS: OfferHour[] = [
  { ...pay, hour: 24, offers: 3, captured: 0, startHour: 25 },
  { ...pay, hour: 47, offers: 12, captured: 1, startHour: 48 },
  { ...pay, hour: 48, offers: 5, captured: 0, startHour: 49 },
];

/** The best hours of a driver at Bethpage, with a way to open a day by the keyboard. */
async function openHours() {
  scriptNetwork();
  const warehouse = { warehouseId: BETHPAGE, offers: 20, unplaced: 0, best: null, hours: HOURS };
  const { user } = await renderPart(createElement(HoursScreen), {
    answered: [
      [
        offerHoursQuery(28).queryKey,
        { days: 28, knownFrom: Date.now() - 30 * DAY_MS, currency: "USD", warehouses: [warehouse] },
      ],
      [warehousesQuery.queryKey, { region: null, warehouses: [makeWarehouse()] }],
      [
        filtersQuery.queryKey,
        { complete: true, version: 7, filters: makeFilters({ schedule: week(480, 720) }) },
      ],
    ],
  });
  const sheet = () => within(screen.getByRole("dialog"));
  const button = (name: RegExp) => sheet().getByRole<HTMLButtonElement>("button", { name });
  return {
    openDay: async (name: string) => {
      screen.getByRole("button", { name }).focus();
      await user.keyboard("{Enter}");
    },
    press: (name: RegExp) => user.click(button(name)),
    button,
    /** Presses a button of an end of the day: it keeps the focus, and says that it does nothing. */
    pressAtEnd: async (name: RegExp) => {
      await user.click(button(name));
      expect([document.activeElement, button(name).getAttribute("aria-disabled")]).toEqual([
        button(name),
        "true",
      ]);
    },
    /** The title, the hour and how many offers it had, and the pressed line. */
    shown: () => [
      sheet().getByRole("heading", { level: 2 }).textContent,
      ...[...sheet().getByRole("heading", { level: 3 }).children].map(({ textContent }) =>
        plain(textContent),
      ),
      ...sheet()
        .queryAllByRole("button", { pressed: true })
        .map(({ textContent }) => plain(textContent)),
    ],
  };
}

const plain = (text: string | null) => text?.replaceAll(/\s/gu, " ");

it("opens a day at its fullest hour, walks through its hours, and to no other day", async () => {
  const { openDay, press, pressAtEnd, shown } = await openHours();
  await openDay("Tue");
  const last = ["Tuesday, Bethpage (DNY4)", "11:00 PM to 12:00 AM", "12 offers"];
  await pressAtEnd(/^The hour after/u);
  expect(shown()).toEqual([...last, "11:00 PM to 12:00 AM12 offers · 1 captured"]);
  await press(/^The hour before/u);
  expect(shown()).toEqual(["Tuesday, Bethpage (DNY4)", "10:00 PM to 11:00 PM", "0 offers"]);
  await press(/^12:00/u);
  await pressAtEnd(/^The hour before/u);
  expect(shown()).toEqual([
    "Tuesday, Bethpage (DNY4)",
    "12:00 AM to 1:00 AM",
    "3 offers",
    "12:00 AM to 1:00 AM3 offers",
  ]);
});

it("opens another day after one was closed, at noon where it has no offers", async () => {
  const { openDay, press, shown } = await openHours();
  await openDay("Wed");
  expect(shown().slice(0, 3)).toEqual(["Wednesday, Bethpage (DNY4)", "12:00 AM to 1:00 AM", "5 offers"]);
  await press(/^Close$/u);
  expect(screen.queryByRole("dialog")).toBeNull();
  await openDay("Thu");
  expect(shown()).toEqual(["Thursday, Bethpage (DNY4)", "12:00 PM to 1:00 PM", "0 offers"]);
});

it("offers to add an hour only where the blocks start outside of the schedule", async () => {
  const { openDay, press, button } = await openHours();
  await openDay("Tue");
  expect(button(/^Add that to my schedule$/u).disabled).toBe(false);
  await press(/^The hour before/u);
  expect(screen.queryByRole("button", { name: "Add that to my schedule" })).toBeNull();
});
