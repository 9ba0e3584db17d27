import { expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { changeText } from "../../../durable/driver/notify/week-messages.ts";
import { FIRST_RULE } from "../../../durable/engine/verdicts/compiled-filters.ts";
import { BETHPAGE, makeWarehouse } from "../fixtures.ts";

const say = (language: Language, change: FilterChange) =>
  changeText(change, { language, warehouses: [makeWarehouse({ name: "Bethpage" })], currency: "USD" });

it("names the first rule that a change is of, where its warehouse has more than one", () => {
  const change = { kind: "min_price", warehouseId: BETHPAGE, cents: 8_000 } as const;
  expect(
    LANGUAGES.map((language) => [say(language, change), say(language, { ...change, rule: FIRST_RULE })]),
  ).toEqual(
    [
      ["Lower Bethpage to $80", "First rule at Bethpage: lower the minimum to $80"],
      ["Bajar Bethpage a $80", "Primera regla en Bethpage: bajar el mínimo por bloque a $80"],
      ["Baixar Bethpage para US$ 80", "Primeira regra em Bethpage: baixar o mínimo por bloco para US$ 80"],
    ].map((pair) => pair.map((text) => text.replaceAll("US$ ", "US$\u00a0"))),
  );
});

it("says how far a limit goes up, in blocks, lengths or money", () => {
  const limits = [
    ["blocksPerDay", 3],
    ["minutesPerWeek", 2_400],
    ["restMinutes", 45],
    ["travelMinutes", 130],
    ["weekGoalCents", 90_000],
  ] as const;
  expect(limits.map(([limit, figure]) => say("en", { kind: "limit", limit, figure }))).toEqual([
    "Raise my limit to 3 blocks a day",
    "Raise my limit to 40 hr a week",
    "Shorten the rest between blocks to 45 min",
    "Shorten the time between warehouses to 2 hr 10 min",
    "Raise my goal for the week to $900",
  ]);
});
