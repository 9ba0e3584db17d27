import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { moneyBackStatements, type RefundRow } from "../../db/queries/payments/money-back.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const MADE = 1_800_000_000_000;

function openRefunds() {
  const database = migratedDatabase();
  const db = openDb(bindD1(database));
  const store = async (fields: Partial<RefundRow>, now: number, where = sql`1`) => {
    const refund: RefundRow = {
      id: "re_1",
      kind: "refund",
      cents: 1_000,
      at: MADE,
      isEffective: false,
      isGoodwill: false,
      tookAt: null,
      ...fields,
    };
    for (const statement of moneyBackStatements(db, "p", { refunds: [refund], disputes: [], now, where }))
      await statement;
  };
  const row = () => {
    const found = database
      .prepare(`SELECT cents, is_effective, took_at, returned_at FROM payment_refunds`)
      .get();
    return found && { ...found };
  };
  return { store, row };
}

const taken = { isEffective: true, tookAt: MADE };

it.each<[string, [Partial<RefundRow>, now: number][], tookAt: number | null, returnedAt: number | null]>([
  ["has not gone before it is effective", [[{}, 1]], null, null],
  ["went when it was made, where that had an effect at once", [[taken, 1]], MADE, null],
  [
    "went when it became effective",
    [
      [{}, 1],
      [{ isEffective: true }, 2],
    ],
    2,
    null,
  ],
  [
    "went once, however often that is told",
    [
      [{}, 1],
      [{ isEffective: true }, 2],
      [{ isEffective: true }, 3],
    ],
    2,
    null,
  ],
  [
    "came back when it failed",
    [
      [taken, 1],
      [{}, 2],
    ],
    MADE,
    2,
  ],
  [
    "came back once, however often that is told",
    [
      [taken, 1],
      [{}, 2],
      [{}, 3],
    ],
    MADE,
    2,
  ],
  [
    "never came back where it never went",
    [
      [{}, 1],
      [{}, 2],
    ],
    null,
    null,
  ],
  [
    "is gone again as on the first day, where it goes after all",
    [
      [taken, 1],
      [{}, 2],
      [{ isEffective: true }, 3],
    ],
    MADE,
    null,
  ],
  [
    "went when it was made, in a row from before that was stored",
    [
      [{ isEffective: true }, 1],
      [{ isEffective: true }, 2],
    ],
    MADE,
    null,
  ],
])("the money of a refund %s", async (_name, told, tookAt, returnedAt) => {
  const { store, row } = openRefunds();
  for (const [fields, now] of told) await store(fields, now);
  expect(row()).toMatchObject({ took_at: tookAt, returned_at: returnedAt });
});

it("a refund has its latest sum, unless its condition no longer holds", async () => {
  const { store, row } = openRefunds();
  await store({ cents: 1_000 }, 1, sql`0`);
  expect(row()).toBeUndefined();
  await store({ cents: 1_000 }, 1);
  await store({ cents: 2_000 }, 2);
  await store({ cents: 3_000 }, 3, sql`0`);
  expect(row()).toMatchObject({ cents: 2_000 });
});
