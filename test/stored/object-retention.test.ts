import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import { NOON } from "../engine/fixtures.ts";
import { openStore } from "../support/runtime/node-store.ts";

it("an object forgets what its texts were about after three days, to the millisecond", () => {
  const database = new DatabaseSync(":memory:");
  const store = openStore(database);
  store.sentTexts.add("old", { kind: "unreadable" }, NOON - 3 * DAY_MS);
  store.sentTexts.add("young", { kind: "needs_link" }, NOON - 3 * DAY_MS + 1);
  store.prune(NOON);
  expect(database.prepare(`SELECT id FROM sent_texts`).all()).toEqual([{ id: "young" }]);
});
