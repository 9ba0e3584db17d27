import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { ExtraRule } from "../../../db/shapes/work/filters.ts";
import { filtersQuery, warehousesQuery } from "../../../web/api/queries/filters.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { restoreSession } from "../../../web/api/session/session.ts";
import { saveDraft } from "../../../web/features/filters/draft-store.ts";
import { FiltersScreen } from "../../../web/features/filters/filters-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import { makeExtraRule, makeFilters, makeWarehouse, makeWarehouseFilter } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  // A draft is its driver's.
  restoreSession(IDENTITY, Date.now());
});
afterEach(() => saveDraft(null));

const [SUNDAYS, EVENINGS] = [
  makeExtraRule({ ruleId: "r1", name: "Sundays" }),
  makeExtraRule({ ruleId: "r2", name: "Evenings" }),
];

/** Saved filters with a minimum for every warehouse, and such rules beside Bethpage's first. */
function saved(
  version: number,
  { minHourlyCents = 2_000, extraRules = [] as ExtraRule[] } = {},
): FiltersResponse {
  const filters = makeFilters({ minHourlyCents, warehouses: [makeWarehouseFilter({ extraRules })] });
  return { complete: true, filters, version };
}

/** The screen of a driver who is set up, on a network that reaches nobody until more is scripted. */
async function openFilters(filters: FiltersResponse) {
  const network = scriptNetwork();
  network.answer({ "POST /flex/v1/filters/replay": "lost" });
  const toasts = watchToasts();
  const part = await renderPart(
    createElement(FiltersScreen, { proposed: null, onProposed: () => undefined }),
    {
      answered: [
        [configQuery.queryKey, { currency: "USD" }],
        [warehousesQuery.queryKey, { region: null, warehouses: [makeWarehouse()] }],
        [userQuery.queryKey, { ...RECORD, proxyInstalled: true, setupComplete: true }],
        [filtersQuery.queryKey, filters],
      ],
      path: "/flex/filters",
    },
  );
  const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
  return {
    ...network,
    ...part,
    toasts,
    button,
    press: (name: string) => part.user.click(button(name)),
  };
}

it("takes the focus to the way back of each rule that is removed", async () => {
  const { press, user } = await openFilters(saved(7, { extraRules: [SUNDAYS, EVENINGS] }));
  await press("Edit filters for Bethpage (DNY4)");
  for (const { name } of [SUNDAYS, EVENINGS]) {
    await press(`Edit ${name}`);
    await press(`Remove ${name}`);
    const line = (await screen.findByText(`Removed: ${name}`)).parentElement;
    await expect.poll(() => line?.contains(document.activeElement)).toBe(true);
  }
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("region", { name: "Evenings" })).toBeTruthy();
});

it("offers no removed rule again that came back as the changes were undone", async () => {
  const { press, user } = await openFilters(saved(7, { extraRules: [SUNDAYS] }));
  await press("Edit filters for Bethpage (DNY4)");
  await press("Edit Sundays");
  await press("Remove Sundays");
  await screen.findByText("Removed: Sundays");
  const bar = within(screen.getByRole("region", { name: "Unsaved changes" }));
  await user.click(bar.getByRole("button", { name: "Undo" }));
  expect(await screen.findAllByRole("region", { name: "Sundays" })).toHaveLength(1);
  expect(screen.queryByText("Removed: Sundays")).toBeNull();
});
