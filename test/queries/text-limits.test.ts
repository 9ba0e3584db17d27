import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { countText, uncountText, type TextLimit } from "../../db/queries/texts/limits.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = 1_800_000_000_000;

const limit = (key: string, fields: Partial<TextLimit> = {}): TextLimit => ({
  key,
  most: 2,
  windowMs: 1_000,
  counts: true,
  ...fields,
});

it("a text counts against all of its limits, or against none where one is reached", async () => {
  const db = openDb(bindD1(migratedDatabase()));
  const [own, all] = [limit("own"), limit("all", { most: 3 })];
  const send = async (...limits: TextLimit[]) => (await countText(db, limits, NOW)).map(({ key }) => key);
  expect([await send(own, all), await send(own, all)]).toEqual([[], []]);
  expect(await send(own, all)).toEqual(["own"]);
  expect([await send(all), await send(all), await send(own, all)]).toEqual([[], ["all"], ["own", "all"]]);
  await uncountText(db, ["own", "all"]);
  expect([await send(own, all), await send(own, all)]).toEqual([[], ["own", "all"]]);
});

it("a limit that only looks is reached by others' texts, and by none of its own", async () => {
  const db = openDb(bindD1(migratedDatabase()));
  const looks = limit("all", { most: 1, counts: false });
  expect([await countText(db, [looks], NOW), await countText(db, [looks], NOW)]).toEqual([[], []]);
  expect(await countText(db, [limit("all")], NOW)).toEqual([]);
  expect(await countText(db, [looks], NOW)).toEqual([looks]);
});

it("a limit of no text is reached at once, and a window ends as it began to be counted", async () => {
  const db = openDb(bindD1(migratedDatabase()));
  const [none, one] = [limit("none", { most: 0 }), limit("one", { most: 1 })];
  expect(await countText(db, [one, none], NOW)).toEqual([none]);
  expect(await countText(db, [one], NOW)).toEqual([]);
  expect(await countText(db, [one], NOW + 999)).toEqual([one]);
  expect(await countText(db, [one], NOW + 1_000)).toEqual([]);
  expect(await countText(db, [one], NOW + 1_999)).toEqual([one]);
});

it("a text that is taken back leaves a count of none, never less", async () => {
  const db = openDb(bindD1(migratedDatabase()));
  const one = limit("one", { most: 1 });
  await countText(db, [one], NOW);
  await uncountText(db, ["one"]);
  await uncountText(db, ["one"]);
  expect([await countText(db, [one], NOW), await countText(db, [one], NOW)]).toEqual([[], [one]]);
});
