import { screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { beforeAll, expect, it } from "vitest";
import { cityHoursQuery } from "../../../web/api/queries/statistics.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { toDraft, type Draft } from "../../../web/features/filters/draft.ts";
import { findIssues, type FilterIssues } from "../../../web/features/filters/draft-issues.ts";
import { WarehouseGroup } from "../../../web/features/filters/warehouse-group.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { idOf, makeFilters, makeWarehouse, makeWarehouseFilter } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));

const COPY = "Use for all selected warehouses";
const [HERE, THERE, AWAY] = ["W0", "W1", "W2"].map((name) => idOf.warehouse(name));

/** The form of the first of three warehouses, of which the others are selected or not. */
async function openForm(isThere: boolean, startIssues: FilterIssues = {}) {
  const warehouses = [
    makeWarehouseFilter({ warehouseId: HERE, minPriceCents: 5_000 }),
    makeWarehouseFilter({ warehouseId: THERE, selected: isThere }),
    makeWarehouseFilter({ warehouseId: AWAY, selected: false }),
  ];
  const drafts: Draft[] = [];
  const Screen = () => {
    const [draft, setDraft] = useState(() => toDraft(makeFilters({ warehouses }), []));
    drafts.push(draft);
    const arranged = draft.warehouses.map((rule) => ({ rule, name: rule.warehouseId, street: null }));
    return createElement(WarehouseGroup, {
      name: "New York",
      group: { warehouses: arranged as never, found: arranged as never },
      isSearched: false,
      draft,
      // The server's are of what was saved, until that is changed.
      issues: { ...(drafts[0] === draft && startIssues), ...findIssues(draft) },
      onChange: setDraft,
      currency: "USD",
    });
  };
  const toasts = watchToasts();
  const { user } = await renderPart(createElement(Screen), {
    answered: [
      [warehousesQuery.queryKey, { warehouses: [makeWarehouse({ warehouseId: HERE })] }],
      [cityHoursQuery.queryKey, { currency: "USD", warehouses: [] }],
    ],
  });
  if (Object.keys(startIssues).length === 0)
    await user.click(screen.getByRole("button", { name: "Edit filters for W0" }));
  return {
    user,
    toasts,
    press: (name: string) => user.click(screen.getByRole("button", { name })),
    minimums: () => drafts.at(-1)?.warehouses.map(({ minPriceCents }) => minPriceCents),
  };
}

it("copies its filters to the other warehouses that are selected, and says so", async () => {
  const { press, minimums, toasts } = await openForm(true);
  const [, , away] = minimums() ?? [];
  await press(COPY);
  await expect.poll(minimums).toEqual([5_000, 5_000, away]);
  expect(toasts()).toEqual([{ text: "Copied to your other selected warehouses. Save to keep it." }]);
});

it("offers to copy its filters only where another warehouse is selected", async () => {
  await openForm(false);
  expect(screen.getByRole("button", { name: "Done" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: COPY })).toBeNull();
});

it("stays open while a field that the server refused is typed anew, until the driver is done", async () => {
  const { user, press } = await openForm(true, { [`${HERE}.minPriceCents`]: "refused" });
  const price = () => screen.queryByLabelText<HTMLInputElement>("Minimum block pay");
  expect(price()?.getAttribute("aria-invalid")).toBe("true");
  await user.type(price() ?? document.body, "5");
  expect([price()?.value, price()?.getAttribute("aria-invalid")]).toEqual(["505", "false"]);
  await press("Done");
  expect(price()).toBeNull();
});

it("takes the focus as it opens, and gives it back to its button", async () => {
  const { press } = await openForm(false);
  const focused = () => document.activeElement?.getAttribute("aria-label");
  expect([document.activeElement?.tagName, focused()]).toEqual(["FIELDSET", "Edit filters for W0"]);
  await press("Done");
  expect([document.activeElement?.tagName, focused()]).toEqual(["BUTTON", "Edit filters for W0"]);
});

it("says at the lengths that one of them is needed", async () => {
  const { user } = await openForm(false);
  for (const length of screen.getAllByRole("checkbox", { checked: true })) await user.click(length);
  const lengths = screen.getByRole("group", { name: "Block lengths (hours)" });
  const note = document.getElementById(lengths.getAttribute("aria-describedby") ?? "");
  expect(note?.textContent).toBe("Select at least one.");
});
