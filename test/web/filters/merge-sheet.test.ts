import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { NO_LIMITS } from "../../../db/shapes/work/filters.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { toDraft } from "../../../web/features/filters/draft.ts";
import { MergeSheet } from "../../../web/features/filters/merge-sheet.tsx";
import { SaveButtons } from "../../../web/features/filters/save-buttons.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeFilters, makeWarehouse, makeWarehouseFilter } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const nothing = () => undefined;
const draftOf = (minHourlyCents: number | null, restMinutes: number | null, minPriceCents: number) =>
  toDraft(
    makeFilters({
      minHourlyCents,
      limits: { ...NO_LIMITS, restMinutes },
      warehouses: [makeWarehouseFilter({ minPriceCents })],
    }),
    [],
  );

it("has each part that differs as it is here and there, and proposes the side that was changed", async () => {
  const conflict = {
    base: draftOf(2_000, 30, 5_000),
    mine: draftOf(null, 30, 6_000),
    theirs: draftOf(3_000, null, 5_000),
  };
  const html = await htmlOfPart(createElement(MergeSheet, { conflict, onMerge: nothing, onLater: nothing }), {
    answered: [
      [warehousesQuery.queryKey, { warehouses: [makeWarehouse()] }],
      [configQuery.queryKey, { currency: "USD" }],
    ],
  });
  const parts = html.split("<fieldset").slice(1);
  const read = parts.map((part) => {
    const [title, changedBy, ...sides] = textsIn(`<i ${part.split("</fieldset>")[0]}`);
    const chosen = [...part.matchAll(/<input[^>]*>/gu)].filter(([input]) => input.includes("checked"));
    return {
      title,
      changedBy,
      sides,
      chosen: chosen.map(([input]) => /value="(\w+)"/u.exec(input)?.[1]),
      warns: part.includes("text-warn"),
    };
  });
  expect(read).toEqual([
    {
      title: "Hourly minimum for every warehouse",
      changedBy: "Changed in both places",
      sides: ["Here", "off", "Saved somewhere else", "at least $30/hr"],
      chosen: ["mine"],
      warns: true,
    },
    {
      title: "Bethpage (DNY4)",
      changedBy: "You changed this here",
      sides: [
        "Here",
        expect.stringMatching(/^At least \$60, /u),
        "Saved somewhere else",
        expect.stringMatching(/^At least \$50, /u),
      ],
      chosen: ["mine"],
      warns: false,
    },
    {
      title: "Rest between blocks",
      changedBy: "Changed somewhere else",
      sides: ["Here", "30 min rest", "Saved somewhere else", "no limit"],
      chosen: ["theirs"],
      warns: false,
    },
  ]);
});

it("is closed where nothing conflicts", async () => {
  const part = createElement(MergeSheet, { conflict: null, onMerge: nothing, onLater: nothing });
  expect(textsIn(await htmlOfPart(part))).toEqual([]);
});

it("saves a draft that is changed and right, once, and again after a failure", async () => {
  const states = {
    changed: {},
    unchanged: { isChanged: false },
    wrong: { isInvalid: true },
    saving: { isSaving: true },
    failed: { hasFailed: true },
  };
  const read = async (state: object) => {
    const props = { isInvalid: false, isSaving: false, onSave: nothing, onDiscard: nothing, ...state };
    const html = await htmlOfPart(createElement(SaveButtons, props));
    return [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/gu)].map(
      ([, attributes = "", inner = ""]) =>
        `${textsIn(inner)[0]}${/disabled="(?:true)?"/u.test(attributes) ? " (off)" : ""}`,
    );
  };
  const seen = await Promise.all(
    Object.entries(states).map(async ([name, state]) => [name, await read(state)] as const),
  );
  expect(Object.fromEntries(seen)).toEqual({
    changed: ["Undo", "Save"],
    unchanged: ["Save (off)"],
    wrong: ["Undo", "Save (off)"],
    saving: ["Undo (off)", "Saving… (off)"],
    failed: ["Undo", "Save again"],
  });
});
