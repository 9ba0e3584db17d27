import { screen, within } from "@testing-library/react";
import { createElement, useState } from "react";
import { beforeAll, expect, it } from "vitest";
import { NO_LIMITS, type Limits } from "../../../db/shapes/work/filters.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { toDraft, type Draft } from "../../../web/features/filters/draft.ts";
import { draftToFilters, findIssues } from "../../../web/features/filters/draft-issues.ts";
import { LimitsCard } from "../../../web/features/filters/limits-card.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeFilters } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));

/** The opened sheet of a driver with such limits. */
async function openLimits(limits: Partial<Limits> = {}) {
  let current: Draft = toDraft(makeFilters({ limits: { ...NO_LIMITS, ...limits } }), []);
  function Screen() {
    const [draft, setDraft] = useState(current);
    current = draft;
    return createElement(LimitsCard, {
      draft,
      onChange: setDraft,
      issues: findIssues(draft),
      currency: "USD",
    });
  }
  const { user } = await renderPart(createElement(Screen), {
    answered: [[warehousesQuery.queryKey, { warehouses: [] }]],
  });
  await user.click(screen.getByRole("button", { name: "Edit limits" }));
  const limit = (name: string) => within(screen.getByRole("group", { name }));
  return {
    user,
    limit,
    flip: (name: string) => user.click(screen.getByRole("switch", { name })),
    field: (name: string) => limit(name).queryByRole<HTMLInputElement>("textbox"),
    write: (name: string, text: string) => user.type(limit(name).getByRole("textbox"), text),
    /** The limits as they would be saved; null where they can't be. */
    limits: () => draftToFilters(current)?.limits ?? null,
    line: () => document.querySelector("#limits p")?.textContent,
  };
}

it.each<[name: string, typed: string, limit: Partial<Limits>]>([
  ["Most blocks a day", "2", { blocksPerDay: 2 }],
  ["Most hours a day", "7.5", { minutesPerDay: 450 }],
  ["Most hours a week", "37,25", { minutesPerWeek: 2_235 }],
  ["Rest between blocks", "20", { restMinutes: 20 }],
  ["Time between different warehouses", "45", { travelMinutes: 45 }],
  ["Pay goal for the week", "812.50", { weekGoalCents: 81_250 }],
])("takes a limit in the units that a driver counts in: %s, %s", async (name, typed, limit) => {
  const { flip, field, write, limits } = await openLimits();
  expect(field(name)).toBeNull();
  await flip(name);
  expect(limits()).toBeNull();
  await write(name, typed);
  expect(field(name)?.getAttribute("aria-invalid")).toBe("false");
  expect(limits()).toEqual({ ...NO_LIMITS, ...limit });
});

it("keeps the figure of a limit that is turned off, and doesn't save it", async () => {
  const { flip, field, limits } = await openLimits({ restMinutes: 30, blocksPerDay: 2 });
  await flip("Rest between blocks");
  expect(limits()).toEqual({ ...NO_LIMITS, blocksPerDay: 2 });
  await flip("Rest between blocks");
  expect(field("Rest between blocks")?.value).toBe("30");
  expect(limits()).toEqual({ ...NO_LIMITS, blocksPerDay: 2, restMinutes: 30 });
});

it("says which figures a limit can have where it is empty, or a fraction of what is counted in ones", async () => {
  const { flip, write, limit } = await openLimits();
  await flip("Most blocks a day");
  const isSaid = () => limit("Most blocks a day").queryByText("Enter a whole number from 1 to 24.") !== null;
  const empty = isSaid();
  await write("Most blocks a day", "2");
  const right = isSaid();
  await write("Most blocks a day", ".5");
  expect([empty, right, isSaid()]).toEqual([true, false, true]);
});

it.each([
  ["Most blocks a day", "0", "1"],
  ["Most hours a week", "a lot", "40"],
])("says beside %s that it can't be %s, keeps what was typed, and says it on the screen", async (...row) => {
  const [name, wrong, right] = row;
  const { user, flip, field, write, line, limits } = await openLimits();
  await flip(name);
  await write(name, wrong);
  expect([field(name)?.value, field(name)?.getAttribute("aria-invalid")]).toEqual([wrong, "true"]);
  expect([limits(), line()]).toEqual([null, "Some fields aren't right yet. Fix them to save."]);
  await user.clear(field(name) ?? document.body);
  await write(name, right);
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect([limits() !== null, line()]).toEqual([true, expect.stringContaining(right)]);
});
