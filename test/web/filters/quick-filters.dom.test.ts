import { screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { filtersQuery, warehousesQuery } from "../../../web/api/queries/filters.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { restoreSession } from "../../../web/api/session/session.ts";
import { saveDraft } from "../../../web/features/filters/draft-store.ts";
import { FiltersScreen } from "../../../web/features/filters/filters-screen.tsx";
import { QuickFilters } from "../../../web/features/filters/quick-filters.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { isSheetOpen, openSheet, uiStore } from "../../../web/features/ui-state/ui-store.ts";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import { makeFilters, makeWarehouse, makeWarehouseFilter } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  restoreSession(IDENTITY, Date.now());
  openSheet("filters");
});
afterEach(() => {
  saveDraft(null);
  openSheet(null);
});

const PUT = "PUT /flex/v1/filters";

function saved(version: number, { minPriceCents = 10_000 } = {}): FiltersResponse {
  return {
    complete: true,
    filters: makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents })] }),
    version,
  };
}

/** The short filters, which a press leaves for all filters. */
function Shown() {
  const [isLeft, setLeft] = useState(false);
  if (isLeft) return createElement(FiltersScreen, { proposed: null, onProposed: () => undefined });
  const leave = createElement("button", { onClick: () => setLeft(true) }, "Leave");
  return createElement("div", null, createElement(QuickFilters), leave);
}

/** The short filters of a driver with one warehouse, a press of whose minimum makes it five dollars more. */
async function openShort() {
  const network = scriptNetwork();
  network.answer({ "POST /flex/v1/filters/replay": "lost" });
  const toasts = watchToasts();
  const part = await renderPart(createElement(Shown), {
    answered: [
      [configQuery.queryKey, { currency: "USD" }],
      [warehousesQuery.queryKey, { region: null, warehouses: [makeWarehouse()] }],
      [userQuery.queryKey, { ...RECORD, proxyInstalled: true, setupComplete: true }],
      [filtersQuery.queryKey, saved(7)],
    ],
    path: "/flex/dashboard",
  });
  const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
  return {
    ...network,
    ...part,
    toasts,
    button,
    press: (name: string | RegExp) => part.user.click(button(name)),
    isOpen: (sheet: "filters" | "support") => isSheetOpen(uiStore.get(), sheet),
    saves: () => network.calls.filter(({ operation }) => operation === PUT),
  };
}

const MORE = "Increase: Minimum at Bethpage (DNY4)";
const DEARER = saved(8, { minPriceCents: 10_500 });

it("saves days and minimums, says so, and closes", async () => {
  const { answer, press, button, toasts, isOpen, saves } = await openShort();
  expect(button("Save").disabled).toBe(true);
  await press("Work on Monday");
  expect(button("Work on Monday").getAttribute("aria-pressed")).toBe("false");
  await press(MORE);
  answer({ [PUT]: { body: DEARER } });
  await press("Save");
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  await expect.poll(() => isOpen("filters")).toBe(false);
  const [monday, ...others] = DEARER.filters.schedule;
  const schedule = [{ ...monday, active: false }, ...others];
  expect(saves().map(({ body }) => body)).toEqual([{ ...DEARER.filters, schedule }]);
});

it("says why nothing was saved, keeps what was chosen, and stays open", async () => {
  const { answer, press, isOpen, saves } = await openShort();
  answer({ [PUT]: ["lost", { body: DEARER }] });
  await press(MORE);
  await press("Save");
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't reach the server.");
  expect(isOpen("filters")).toBe(true);
  await press("Save");
  await expect.poll(() => isOpen("filters")).toBe(false);
  expect(saves().map(({ body }) => body)).toEqual([DEARER.filters, DEARER.filters]);
});

it("closes no other sheet that was opened in its place while it saved", async () => {
  const { answer, press, toasts, isOpen, unmount } = await openShort();
  const arrival = Promise.withResolvers<void>();
  answer({ [PUT]: { body: DEARER, after: arrival.promise } });
  await press(MORE);
  await press("Save");
  openSheet("support");
  unmount();
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  await new Promise(requestAnimationFrame);
  expect(isOpen("support")).toBe(true);
});

it("can be neither saved again nor undone on the screen of all filters while it is saved", async () => {
  const { answer, press, button, toasts, saves } = await openShort();
  const arrival = Promise.withResolvers<void>();
  answer({ [PUT]: { body: DEARER, after: arrival.promise } });
  await press(MORE);
  await press("Save");
  await press("Leave");
  expect(["Saving…", "Undo"].map((name) => button(name).getAttribute("aria-disabled"))).toEqual([
    "true",
    "true",
  ]);
  await press("Saving…");
  await press("Undo");
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  await expect.poll(() => screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(saves()).toHaveLength(1);
});
