import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { jsonRows } from "../../db/expressions.ts";
import { insertFrom, insertWhere } from "../../db/insert-where.ts";
import { promotions, raffleTickets } from "../../db/schema/payments.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const open = () => openDb(bindD1(migratedDatabase()));
const raffle = {
  endsAt: 2,
  startsAt: 1,
  id: "december",
  plan: "14days",
  winners: 10,
  prize: { en: "A bike", es: "Una bici", pt: "Uma bicicleta" },
  seedHash: "hash",
} as const;

it("writes each field to its own column, whatever their order, and leaves out what has no value", async () => {
  const db = open();
  await insertWhere(db, promotions, raffle, sql`1`);
  const beacon = {
    drawVersion: 1,
    entriesHash: null,
    beaconRound: null,
    beaconKey: null,
    beaconSignature: null,
    drawnAt: null,
  };
  const rest = { seed: null, sealedSeed: null, closedAt: null, ...beacon };
  expect(await db.select().from(promotions)).toEqual([{ ...raffle, ...rest }]);
});

it("writes nothing unless the condition holds", async () => {
  const db = open();
  await insertWhere(db, promotions, raffle, sql`EXISTS (SELECT 1 FROM ${promotions})`);
  expect(await db.select().from(promotions)).toEqual([]);
});

it("writes a row for each of a query's", async () => {
  const db = open();
  const { source, field } = jsonRows([
    { entry: "a", holder: "1", rank: 2 },
    { entry: "b", holder: "2", rank: null },
  ]);
  const row = {
    promotionId: "december",
    entry: field("entry"),
    holder: field("holder"),
    rank: field("rank"),
  };
  await insertFrom(db, raffleTickets, row, sql`FROM ${source}`);
  expect(await db.select().from(raffleTickets)).toEqual([
    { promotionId: "december", entry: "a", holder: "1", rank: 2 },
    { promotionId: "december", entry: "b", holder: "2", rank: null },
  ]);
});

it("does not compile without a column that must have a value, or with one that the table hasn't", () => {
  const db = open();
  const { winners: _winners, ...short } = raffle;
  // @ts-expect-error `winners` is missing
  insertWhere(db, promotions, short, sql`1`);
  // @ts-expect-error no such column
  insertWhere(db, promotions, { ...raffle, price: 1 }, sql`1`);
  expect(jsonRows([{ entry: "a" }]).field("entry")).toBeDefined();
  // @ts-expect-error no such field
  jsonRows([{ entry: "a" }]).field("enter");
});
