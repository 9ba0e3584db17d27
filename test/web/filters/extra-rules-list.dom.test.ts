import { screen, within } from "@testing-library/react";
import { createElement, useState } from "react";
import { beforeAll, expect, it } from "vitest";
import type { ExtraRule } from "../../../db/shapes/work/filters.ts";
import { toDraft, type Draft } from "../../../web/features/filters/draft.ts";
import { findIssues } from "../../../web/features/filters/draft-issues.ts";
import { ExtraRules } from "../../../web/features/filters/rules/extra-rules-list.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { idOf, makeExtraRule, makeFilters, makeWarehouseFilter } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));

const [HERE, THERE, AWAY] = ["W0", "W1", "W2"].map((name) => idOf.warehouse(name));
const ruleOf = (name: string, fields: Partial<ExtraRule> = {}) =>
  makeExtraRule({ ruleId: name.toLowerCase(), name, ...fields });
const FOUR = ["Kept", "One", "Two", "Three"].map((name) => ruleOf(name));

/** The further rules of the first of three warehouses, of which the second may be selected, with rules of its own. */
async function openRules(
  names: readonly string[],
  { isThere = true, rulesThere = [] as readonly ExtraRule[] } = {},
) {
  const filters = makeFilters({
    warehouses: [
      makeWarehouseFilter({ warehouseId: HERE, extraRules: names.map((name) => ruleOf(name)) }),
      makeWarehouseFilter({ warehouseId: THERE, selected: isThere, extraRules: [...rulesThere] }),
      makeWarehouseFilter({ warehouseId: AWAY, selected: false }),
    ],
  });
  const changes: Draft[] = [];
  function Screen() {
    const [draft, setDraft] = useState(() => toDraft(filters, []));
    const [rule] = draft.warehouses;
    const onChange = (next: Draft) => {
      changes.push(next);
      setDraft(next);
    };
    return (
      rule && createElement(ExtraRules, { rule, draft, onChange, issues: findIssues(draft), currency: "USD" })
    );
  }
  const toasts = watchToasts();
  const { user } = await renderPart(createElement(Screen));
  return {
    toasts,
    user,
    changes,
    press: (name: string) => user.click(screen.getByRole("button", { name })),
    button: (name: string) => screen.queryByRole("button", { name }),
    region: (name: string) => within(screen.getByRole("region", { name })),
    /** The names of the rules, in their order. */
    names: () => screen.queryAllByRole("region").map((card) => within(card).getByRole("heading").textContent),
    focused: () => document.activeElement?.getAttribute("aria-label"),
    announced: () => screen.getAllByRole("status").map(({ textContent }) => textContent),
    /** The rules of a warehouse after the last change. */
    rulesAt: (index: number) => changes.at(-1)?.warehouses[index]?.extraRules.map(({ name }) => name),
  };
}

it("moves a rule with the keyboard, keeps the focus on its button at the end too, and says where it is", async () => {
  const { press, user, names, focused, announced, changes } = await openRules([
    "Sundays",
    "Evenings",
    "Nights",
  ]);
  await press("Edit Nights");
  await press("Move Nights up");
  expect([names(), focused()]).toEqual([["Sundays", "Nights", "Evenings"], "Move Nights up"]);
  expect(announced()).toContain("Nights is now rule 3 of 4.");
  await user.keyboard("{Enter}");
  expect([names(), focused()]).toEqual([["Nights", "Sundays", "Evenings"], "Move Nights up"]);
  expect(announced()).toContain("Nights is now rule 2 of 4.");
  await user.keyboard("{Enter}");
  expect([names(), focused(), changes.length]).toEqual([
    ["Nights", "Sundays", "Evenings"],
    "Move Nights up",
    2,
  ]);
  await press("Move Nights down");
  expect(names()).toEqual(["Sundays", "Nights", "Evenings"]);
});

it("has nothing to move a rule by that is the only one beside the first", async () => {
  const { press, button, changes } = await openRules(["Sundays"]);
  await press("Edit Sundays");
  expect([button("Move Sundays up"), button("Move Sundays down")]).toEqual([null, null]);
  await press("Add another rule");
  expect(changes).toHaveLength(1);
  expect(button("Move Rule 3 up")).not.toBeNull();
});

const ONE_COPY = "Copied to 1 warehouse. Save to keep it.";
const ONE_FULL = "1 warehouse already has five rules.";

it.each<[where: string, there: Parameters<typeof openRules>[1], said: string, rules: string[] | undefined]>([
  ["to the other one that is selected", {}, ONE_COPY, ["Kept"]],
  ["to none that isn't", { isThere: false }, "Select another warehouse first.", undefined],
  [
    "in place of an earlier copy, in a full one too",
    { rulesThere: [...FOUR.slice(1), ruleOf("Former", { ruleId: "kept" })] },
    ONE_COPY,
    ["One", "Two", "Three", "Kept"],
  ],
  ["to none that is full", { rulesThere: [...FOUR.slice(1), ruleOf("Four")] }, ONE_FULL, undefined],
])("copies a rule %s, and says so", async (_, there, said, rules) => {
  const { press, toasts, rulesAt, changes } = await openRules(["Kept"], there);
  await press("Edit Kept");
  await press("Copy to other warehouses");
  expect(toasts()).toEqual([{ text: said }]);
  expect([rulesAt(1), changes.length]).toEqual([rules, rules ? 1 : 0]);
  // Its own warehouse and the one that isn't selected stay as they are.
  expect([rulesAt(0), rulesAt(2)]).toEqual(rules ? [["Kept"], []] : [undefined, undefined]);
});

it("begins a further rule at its name, which is the title, and takes no focus when it is opened again", async () => {
  const { press, user, region, focused } = await openRules([]);
  await press("Add another rule");
  const name = () => region("Rule 2").getByLabelText("Name (optional)");
  expect(document.activeElement).toBe(name());
  await user.keyboard("Nights");
  expect(region("Nights").getByLabelText("Name (optional)")).toHaveProperty("value", "Nights");
  await press("Done with Nights");
  await press("Edit Nights");
  expect(focused()).toBe("Done with Nights");
});

it("takes four rules beside the first, and a fifth once one is gone", async () => {
  const { press, button, names } = await openRules(["One", "Two", "Three"]);
  await press("Add another rule");
  expect(button("Add another rule")).toBeNull();
  expect(screen.getByText("That's five rules, the most a warehouse can have.")).toBeTruthy();
  await press("Edit Two");
  await press("Remove Two");
  expect(names()).toEqual(["One", "Three", "Rule 4"]);
  await press("Undo");
  expect([names(), button("Add another rule")]).toEqual([["One", "Two", "Three", "Rule 5"], null]);
});

it("offers no removed rule again whose place another took", async () => {
  const { press, button } = await openRules(["One", "Two", "Three", "Four"]);
  await press("Edit Two");
  await press("Remove Two");
  expect(button("Undo")).not.toBeNull();
  await press("Add another rule");
  expect(button("Undo")).toBeNull();
});

it("keeps a faulty rule open until it is right and the driver is done with it", async () => {
  const { press, user, button, region } = await openRules(["One", "Two"]);
  await press("Edit Two");
  const price = () => region("Two").queryByLabelText<HTMLInputElement>("Minimum block pay");
  await user.clear(price() ?? document.body);
  await press("Edit One");
  expect([price()?.getAttribute("aria-invalid"), button("Done with Two")]).toEqual(["true", null]);
  await user.type(price() ?? document.body, "80");
  expect([price()?.value, price()?.getAttribute("aria-invalid")]).toEqual(["80", "false"]);
  await press("Done with Two");
  expect([price(), button("Done with One") === null]).toEqual([null, false]);
});
