import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { toDraft } from "../../../web/features/filters/draft.ts";
import type { FilterIssues } from "../../../web/features/filters/draft-issues.ts";
import { QuickMinimums } from "../../../web/features/filters/quick-minimums.tsx";
import { WarehouseGroup } from "../../../web/features/filters/warehouse-group.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import {
  idOf,
  makeExtraRule,
  makeFilters,
  makeWarehouse,
  makeWarehouseFilter,
} from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const nothing = () => undefined;
const idAt = (index: number) => idOf.warehouse(`W${index}`);
const WAREHOUSES = [0, 1, 2, 3, 4, 5].map((index) =>
  makeWarehouse({ warehouseId: idAt(index), name: `W${index}` }),
);

/** The first warehouse has a further rule, the second looks at hourly pay alone, and the third isn't selected. */
const RULES = [
  makeWarehouseFilter({
    warehouseId: idAt(0),
    minPriceCents: 5_000,
    extraRules: [makeExtraRule({ name: "Sundays", minPriceCents: 9_000, hours: null })],
  }),
  makeWarehouseFilter({ warehouseId: idAt(1), onlyHourly: true, minHourlyCents: 2_500 }),
  makeWarehouseFilter({ warehouseId: idAt(2), selected: false }),
];

async function htmlOfGroup({
  issues = {},
  isSearched = false,
  count = 3,
}: {
  issues?: FilterIssues;
  isSearched?: boolean;
  count?: number;
}) {
  const draft = toDraft(makeFilters({ warehouses: RULES.slice(0, count) }), []);
  const warehouses = draft.warehouses.map((rule, index) => ({
    rule,
    name: `W${index}`,
    street: `${index} Road`,
  }));
  return htmlOfPart(
    createElement(WarehouseGroup, {
      name: "New York",
      group: { warehouses: warehouses as never, found: warehouses.slice(0, 3) as never },
      isSearched,
      draft,
      issues,
      onChange: nothing,
      currency: "USD",
    }),
  );
}

it("has the rules of each selected warehouse as sentences, and how many are selected", async () => {
  const html = await htmlOfGroup({});
  expect(textsIn(html)).toEqual([
    "New York",
    "2 of 3",
    "All",
    "W0",
    "0 Road",
    expect.stringMatching(/^At least \$50, /u),
    "Sundays:",
    expect.stringMatching(/^At least \$90, /u),
    "Edit",
    "W1",
    "1 Road",
    expect.stringMatching(/^At least \$25 an hour, /u),
    "Edit",
    "W2",
    "2 Road",
  ]);
  expect([...html.matchAll(/aria-checked="(\w+)"/gu)].map(([, is]) => is)).toEqual(["true", "true", "false"]);
});

it("offers to select all of a region, which is pressed once they are, and not during a search", async () => {
  const all = (html: string) => /aria-pressed="(\w+)"[^>]*aria-label="([^"]*)"/u.exec(html)?.slice(1);
  const name = "Select all in New York";
  expect([
    all(await htmlOfGroup({})),
    all(await htmlOfGroup({ count: 2 })),
    all(await htmlOfGroup({ isSearched: true })),
  ]).toEqual([["false", name], ["true", name], undefined]);
});

it("opens a warehouse with a field that is wrong, and keeps it open until it is right", async () => {
  const html = await htmlOfGroup({ issues: { [`${idAt(1)}.minHourlyCents`]: "required" } });
  const [, first = "", second = "", third = ""] = html.split("<article");
  const opens = (card: string) => card.includes("Minimum notice");
  expect([opens(first), opens(second), opens(third)]).toEqual([false, true, false]);
  expect(textsIn(second)).toContain("Enter an amount, such as 22.5.");
  expect(/<button[^>]*>Done<\/button>/u.exec(second)?.[0]).toContain("disabled");
});

it("has the minimum that decides at each selected warehouse, four at most, and that of all of them", async () => {
  const read = async (count: number, minHourlyCents: number | null) => {
    const rules = WAREHOUSES.slice(0, count).map(({ warehouseId }, index) =>
      makeWarehouseFilter({
        warehouseId,
        minPriceCents: 5_000 + index * 100,
        minHourlyCents: 2_500,
        onlyHourly: index === 1,
        selected: index !== 2,
      }),
    );
    const draft = toDraft(makeFilters({ minHourlyCents, warehouses: rules }), []);
    const part = createElement(QuickMinimums, {
      draft,
      onChange: nothing,
      currency: "USD",
      warehouses: WAREHOUSES,
    });
    return textsIn(await htmlOfPart(part)).slice(1);
  };
  const [one, two] = [
    ["W0", "$50.00"],
    ["W1", "$25.00/hr"],
  ];
  const everywhere = "Hourly, at every warehouse";
  expect(await read(2, 2_000)).toEqual([...one, ...two, everywhere, "$20.00/hr"]);
  expect(await read(3, null)).toEqual([...one, ...two, everywhere]);
  expect(await read(5, null)).toEqual([...one, ...two, "W3", "$53.00", "W4", "$54.00", everywhere]);
  const six = await read(6, null);
  expect(six.slice(0, -1)).toEqual(await read(5, null));
  expect(six.at(-1)).toMatch(/\b1\b/u);
});
