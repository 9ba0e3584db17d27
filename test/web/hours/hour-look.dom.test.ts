import { screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { OfferHour } from "../../../db/shapes/work/offer-hours.ts";
import { restoreSession } from "../../../web/api/session/session.ts";
import { draftStore, saveDraft } from "../../../web/features/filters/draft-store.ts";
import { DaySheet } from "../../../web/features/hours/day-sheet.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { BETHPAGE, makeFilters, week } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  restoreSession(IDENTITY, Date.now());
});
afterEach(() => saveDraft(null));

const GET = "GET /flex/v1/filters";
const LOOK = "Add that to my schedule";
const pay = { medianHourlyCents: 2_700, bestHourlyCents: 3_150, halfGoneMs: null, captured: 0 };
/** Offers of seven and eight o'clock on Tuesday, whose blocks start at noon and at one. */
const HOURS: OfferHour[] = [
  { ...pay, hour: 31, offers: 8, startHour: 36 },
  { ...pay, hour: 32, offers: 4, startHour: 37 },
];

function Opened() {
  const [hour, setHour] = useState<number | null>(31);
  const warehouse = { warehouseId: BETHPAGE, offers: 12, unplaced: 0, best: null, hours: HOURS };
  const open = hour === null ? null : { warehouse, name: "Bethpage", hour };
  return createElement(DaySheet, { open, currency: "USD", onHour: setHour, onClose: () => setHour(null) });
}

it("adds the hour that is shown to the changes, and says of no other that it couldn't", async () => {
  const { answer } = scriptNetwork();
  answer({ [GET]: "lost" });
  const { user, address } = await renderPart(createElement(Opened));
  const press = (name: string | RegExp) => user.click(screen.getByRole("button", { name }));
  await press(LOOK);
  expect((await screen.findByRole("alert")).textContent).toBe("We couldn't load your filters. Try again.");
  await press(/^The hour after/u);
  expect(screen.queryByRole("alert")).toBeNull();
  const filters = makeFilters({ schedule: week(480, 720) });
  answer({ [GET]: { body: { complete: true, filters, version: 7 } } });
  await press(LOOK);
  await expect.poll(address).toBe("/flex/filters#week");
  expect(draftStore.get()).toMatchObject({ version: 7, base: filters });
  expect(draftStore.get()?.draft.schedule[1]).toEqual({ active: true, start: 480, end: 840 });
});

it.each([
  ["was closed", "Close"],
  ["shows another hour", /^The hour after/u],
])("adds the hour and leads nowhere where the sheet %s before the filters were there", async (_, leaving) => {
  const { answer } = scriptNetwork();
  const arrival = Promise.withResolvers<void>();
  const filters = makeFilters({ schedule: week(480, 720) });
  answer({ [GET]: { body: { complete: true, filters, version: 7 }, after: arrival.promise } });
  const { user, address } = await renderPart(createElement(Opened));
  const before = address();
  await user.click(screen.getByRole("button", { name: LOOK }));
  await user.click(screen.getByRole("button", { name: leaving }));
  arrival.resolve();
  await expect.poll(() => draftStore.get()?.draft.schedule[1]?.end).toBe(780);
  await new Promise(requestAnimationFrame);
  expect(address()).toBe(before);
});
