import { expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { DriftBook } from "../../../durable/driver/logs/drift-book.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { NOON } from "../fixtures.ts";

const NAME = "list_offers offers[].pay";

it("tells the operators of a field once an hour, also over a restart, and the driver's log once", async () => {
  const clock = { now: NOON };
  const make = () =>
    new DriftBook({ db: openDb(bindD1(migratedDatabase())), now: () => clock.now, log: () => {} });
  const book = make();
  const told = async (from: DriftBook, at: number) => {
    clock.now = at;
    from.note(NAME);
    await from.report();
    return from.told[NAME];
  };
  expect(await told(book, NOON)).toBe(NOON);
  expect([book.takeNew(), book.takeNew()]).toEqual([[NAME], []]);
  expect(await told(book, NOON + HOUR_MS - 1)).toBe(NOON);
  const next = make();
  next.restore(book.told);
  expect([await told(next, NOON + HOUR_MS - 1), next.takeNew()]).toEqual([NOON, []]);
  expect(await told(book, NOON + HOUR_MS)).toBe(NOON + HOUR_MS);
});
