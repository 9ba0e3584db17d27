import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { LIMITS, NO_LIMITS, type Limits } from "../../../db/shapes/work/filters.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { toDraft, type Draft } from "../../../web/features/filters/draft.ts";
import type { FilterIssues } from "../../../web/features/filters/draft-issues.ts";
import { LimitsCard, LimitsForm } from "../../../web/features/filters/limits-card.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { idOf, makeFilters, makeWarehouse, makeWarehouseFilter } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const ALL: Limits = {
  blocksPerDay: 2,
  minutesPerDay: 480,
  minutesPerWeek: 2_400,
  restMinutes: 30,
  travelMinutes: 45,
  weekGoalCents: 50_000,
};
const nothing = () => undefined;
const editing = (draft: Draft, issues: FilterIssues = {}) => ({
  draft,
  issues,
  onChange: nothing,
  currency: "USD",
});
const draftOf = (limits: Partial<Limits>): Draft =>
  toDraft(makeFilters({ limits: { ...NO_LIMITS, ...limits } }), []);

it("has the limits that are on in one line, or that a field of them is wrong", async () => {
  const read = async (draft: Draft, issues?: FilterIssues) =>
    textsIn(await htmlOfPart(createElement(LimitsCard, editing(draft, issues))))[1];
  expect([
    await read(draftOf({})),
    await read(draftOf({ restMinutes: 30 })),
    await read(draftOf(ALL)),
    await read(draftOf(ALL), { "limits.restMinutes": "restMinutes" }),
    await read(draftOf(ALL), { "general.cents": "required" }),
  ]).toEqual([
    "No limits",
    "30 min rest",
    "2 blocks a day · 8 hr a day · 40 hr a week · 30 min rest · 45 min between warehouses · stop at $500 a week",
    "Some fields aren't right yet. Fix them to save.",
    expect.stringMatching(/^2 blocks/u),
  ]);
});

/** Each limit's texts, without its name, and the figure in its field. */
async function readForm(draft: Draft, issues?: FilterIssues, answered: readonly object[] = []) {
  const html = await htmlOfPart(createElement(LimitsForm, { ...editing(draft, issues), onDone: nothing }), {
    answered: [[warehousesQuery.queryKey, { warehouses: answered }]],
  });
  const rows = html.split("<fieldset").slice(1);
  return rows.map((row) => ({
    name: /aria-label="([^"]*)"/u.exec(row)?.[1],
    isOn: row.includes('aria-checked="true"'),
    figure: / value="([^"]*)"/u.exec(row)?.[1],
    texts: textsIn(`<i ${row.split("</fieldset>")[0]}`).slice(1),
  }));
}

const NAMES = [
  "Most blocks a day",
  "Most hours a day",
  "Most hours a week",
  "Rest between blocks",
  "Time between different warehouses",
  "Pay goal for the week",
];

it("has no field for a limit that is off", async () => {
  const off = { isOn: false, figure: undefined, texts: [] };
  expect(await readForm(draftOf({}))).toEqual(NAMES.map((name) => ({ ...off, name })));
});

it("has the figure of each limit in the units that a driver counts in", async () => {
  const goal = ["Amount", "$", "Once you reach it, we stop until Monday."];
  const fields = [
    ["2", ["Blocks"]],
    ["8", ["Hours"]],
    ["40", ["Hours"]],
    ["30", ["Minutes"]],
    ["45", ["Minutes"]],
    ["500", goal],
  ] as const;
  expect(await readForm(draftOf(ALL))).toEqual(
    fields.map(([figure, texts], index) => ({ name: NAMES[index], isOn: true, figure, texts })),
  );
});

it.each([
  ["blocksPerDay", "Enter a whole number from 1 to 24."],
  ["minutesPerDay", "Enter more than 0, up to 24."],
  ["minutesPerWeek", "Enter more than 0, up to 168."],
  ["restMinutes", "Enter a whole number from 1 to 1,440."],
  ["travelMinutes", "Enter a whole number from 1 to 1,440."],
  ["weekGoalCents", "Enter more than $0, up to $9,999."],
] as const)("says beside its own field which figures are right: %s", async (limit, message) => {
  const rows = await readForm(draftOf(ALL), { [`limits.${limit}`]: limit });
  const wrong = rows.filter(({ texts }) => texts.includes(message));
  expect(wrong.map(({ name }) => name)).toEqual([NAMES[LIMITS.indexOf(limit)]]);
});

const place = (index: number, latitude = 40 + index / 10, longitude = -73) =>
  makeWarehouse({ warehouseId: idOf.warehouse(`W${index}`), name: `W${index}`, latitude, longitude });

/** The lines beside the limit of the ways between the selected warehouses. */
async function distances(
  warehouses: readonly ReturnType<typeof place>[],
  { isOn = true, selected = true } = {},
) {
  const rules = warehouses.map(({ warehouseId }) => makeWarehouseFilter({ warehouseId, selected }));
  const limits = { ...NO_LIMITS, travelMinutes: isOn ? 45 : null };
  const draft = toDraft(makeFilters({ limits, warehouses: rules }), []);
  const html = await htmlOfPart(createElement(LimitsForm, { ...editing(draft), onDone: nothing }), {
    answered: [[warehousesQuery.queryKey, { warehouses }]],
  });
  const texts = textsIn(html);
  const from = texts.findIndex((text) => text.startsWith("Straight-line"));
  return from === -1 ? [] : texts.slice(from + 1, texts.indexOf("Pay goal for the week"));
}

it("lists how far apart the selected warehouses with a known place are, the farthest first", async () => {
  const three = [place(0), place(1), place(2)];
  const lines = ["W0 – W2", "13.8 mi", "W0 – W1", "6.9 mi", "W1 – W2", "6.9 mi"];
  expect(await distances(three)).toEqual(lines);
  expect(await distances([...three, place(3, 0, 0)])).toEqual(lines);
  expect(await distances([place(0), place(1, 0)])).toHaveLength(2);
  const none = [
    await distances(three, { isOn: false }),
    await distances(three, { selected: false }),
    await distances([place(0)]),
  ];
  expect(none).toEqual([[], [], []]);
});

it("counts the pairs beyond the four farthest", async () => {
  const four = await distances([0, 1, 2, 3].map((index) => place(index)));
  expect([four.length, four.at(-1)]).toEqual([9, expect.stringMatching(/\b2\b/u)]);
  const star = [place(0), place(1), place(2)];
  expect((await distances(star)).length).toBe(6);
});
