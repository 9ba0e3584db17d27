import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { listWaitingBlocks, listWonDays, replaceWonDays } from "../../db/queries/work/blocks-won.ts";
import { openDb } from "../../db/client.ts";
import { capturedIn, NEWEST_WON } from "../../db/shapes/log/driver-log.ts";
import type { Block } from "../../db/shapes/work/offer.ts";
import { DAY_MS, driverId, HOUR_MS } from "../../db/shapes/units.ts";
import { WonHistory } from "../../durable/driver/services/won-history.ts";
import { blocksQueryInput } from "../../worker/contract/work/blocks.ts";
import { makeBlock, makeOffer, NOON } from "../engine/fixtures.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { openStore } from "../support/runtime/node-store.ts";
import { insertDriver } from "../support/driver-insert.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

const block = (name: string, acceptedAt: number, payCents = 9_000) =>
  makeBlock(makeOffer(name, { payCents }), { acceptedAt });
/** Captured, given back, and captured again for more once another was. */
const CAPTURES = [
  block("again", NOON - DAY_MS),
  block("between", NOON - HOUR_MS),
  block("again", NOON, 9_500),
];

function openTable() {
  const database = new DatabaseSync(":memory:");
  const { wonBlocks } = openStore(database);
  return wonBlocks;
}

const SUMS = { currency: "USD", blocks: 2, payCents: 18_500, minutes: 360 };

it("has a block that was captured again once, where it was captured last, in whatever order it hears of them", () => {
  for (const order of [CAPTURES, CAPTURES.toReversed(), [...CAPTURES, ...CAPTURES]]) {
    const table = openTable();
    for (const won of order) table.add({ attemptId: `attempt-${won.acceptedAt}`, block: won }, 1);
    const read: { at: number; payCents: number }[] = [];
    for (let after = NEWEST_WON; ;) {
      const [won] = table.page({ after, limit: 1 });
      if (!won) break;
      read.push({ at: won.at, payCents: won.block.payCents });
      after = { at: won.at, blockId: won.block.blockId };
    }
    expect(read).toEqual([
      { at: NOON, payCents: 9_500 },
      { at: NOON - HOUR_MS, payCents: 9_000 },
    ]);
    expect(table.sums()).toEqual([SUMS]);
    expect(table.days()).toEqual([{ ...SUMS, day: Math.floor(NOON / DAY_MS) }]);
  }
});

it("is no entry of the log that is about something else", () => {
  expect(capturedIn({ seq: 1, event: { kind: "other", at: NOON } })).toEqual([]);
});

it("names the days of which a capture changes the sums, and none the second time", () => {
  const table = openTable();
  const today = Math.floor(NOON / DAY_MS);
  const add = (won: Block) => table.add({ attemptId: "a", block: won }, 1);
  expect(CAPTURES.map(add)).toEqual([[today - 1], [today], [today - 1, today]]);
  expect(CAPTURES.map(add)).toEqual([[], [], []]);
  expect([table.days(today - 1), table.days(today)]).toEqual([[], [{ ...SUMS, day: today }]]);
});

it.each<[string, Partial<Block>, change: object | null]>([
  ["nothing but the instant of the capture", { acceptedAt: NOON + 1_000 }, null],
  ["the pay", { payCents: 9_900 }, { payCents: 9_900 }],
  ["the end", { endsAt: CAPTURES[1]!.endsAt + HOUR_MS }, { minutes: 240 }],
  ["the currency", { currency: "MXN" }, { currency: "MXN" }],
  ["the status", { status: "forfeited" }, { payCents: 0, minutes: 0 }],
  ["the check-in, which is in no sum,", { checkedInAt: NOON }, {}],
])("follows a captured block once, where %s changed", (_name, fields, changed) => {
  const table = openTable();
  const won = block("one", NOON);
  const other = block("by-hand", NOON);
  table.add({ attemptId: "a", block: won }, 7);
  const today = Math.floor(NOON / DAY_MS);
  const follow = () => table.follow([{ ...won, ...fields }, other]);
  expect([follow(), follow()]).toEqual([changed ? [today] : [], []]);
  expect(table.days()).toEqual([
    { currency: "USD", blocks: 1, payCents: 9_000, minutes: 180, ...changed, day: today },
  ]);
  const followed = changed ? { ...won, ...fields } : won;
  expect(table.page({ after: NEWEST_WON, limit: 9 })).toEqual([
    { attemptId: "a", block: followed, seq: 7, at: NOON },
  ]);
});

it("names a day once of which several blocks changed", () => {
  const table = openTable();
  const wons = [block("one", NOON), block("two", NOON), block("three", NOON - DAY_MS)];
  for (const won of wons) table.add({ attemptId: "a", block: won }, 1);
  const today = Math.floor(NOON / DAY_MS);
  expect(table.follow(wons.map((won) => ({ ...won, payCents: 1 })))).toEqual([today, today - 1]);
});

it("replaces the sums of a day, however often and in whatever order they arrive", async () => {
  const database = migratedDatabase();
  insertDriver(database, { id: DRIVER });
  const db = openDb(bindD1(database));
  const day = { driverId: DRIVER, days: [20_000] };
  const sum = (currency: string, blocks: number) => ({
    day: 20_000,
    currency,
    blocks,
    payCents: blocks * 9_000,
    minutes: 60,
  });
  await replaceWonDays(db, day, [sum("USD", 1)]);
  await replaceWonDays(db, { ...day, days: [20_001] }, [{ ...sum("USD", 1), day: 20_001 }]);
  for (let time = 0; time < 2; time += 1) await replaceWonDays(db, day, [sum("USD", 2), sum("MXN", 1)]);
  expect(await listWonDays(db, DRIVER)).toEqual([
    sum("MXN", 1),
    sum("USD", 2),
    { ...sum("USD", 1), day: 20_001 },
  ]);
  await replaceWonDays(db, day, [sum("USD", 2)]);
  expect(await listWonDays(db, DRIVER)).toEqual([sum("USD", 2), { ...sum("USD", 1), day: 20_001 }]);
  await replaceWonDays(db, day, []);
  expect(await listWonDays(db, DRIVER)).toEqual([{ ...sum("USD", 1), day: 20_001 }]);
  const gone = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02");
  await replaceWonDays(db, { ...day, driverId: gone }, [sum("USD", 1)]);
  expect(await listWonDays(db, gone)).toEqual([]);
});

it("leaves blocks for another object, of a block captured again the latest, and takes them once", async () => {
  const database = migratedDatabase();
  insertDriver(database, { id: DRIVER });
  const db = openDb(bindD1(database));
  const former = openTable();
  for (const won of CAPTURES) former.add({ attemptId: "a", block: won }, 1);
  const history = (wonBlocks: ReturnType<typeof openTable>) =>
    new WonHistory({
      db,
      store: { wonBlocks },
    });
  await history(former).leave(DRIVER);
  await history(former).leave(DRIVER);
  const next = openTable();
  expect(await history(next).sums(DRIVER)).toEqual([SUMS]);
  expect(await history(next).page(DRIVER, { after: NEWEST_WON, limit: 9 })).toHaveLength(2);
  expect(await listWonDays(db, DRIVER)).toEqual([{ ...SUMS, day: Math.floor(NOON / DAY_MS) }]);
  expect(await listWaitingBlocks(db, DRIVER, 9)).toEqual([]);
});

it.each([
  ["won", "1795457166000_blk_1", true],
  ["won", `1795457166000_${"b".repeat(80)}`, true],
  ["won", "1795457166000_blk:1/a+b", true],
  ["won", `1795457166000_${"b".repeat(201)}`, false],
  ["won", "12", false],
  ["disliked", "12", true],
  ["disliked", "1795457166000_blk_1", false],
  ["lost", "12", true],
  ["lost", "1795457166000_blk_1", false],
  [undefined, "12", false],
  [undefined, undefined, true],
])("takes of the list %s the cursor %s: %s", (type, cursor, isTaken) => {
  const parsed = blocksQueryInput.safeParse({ type, cursor });
  expect(parsed.success).toBe(isTaken);
  if (!parsed.success)
    expect(new Set(parsed.error.issues.map(({ path }) => path.join(".")))).toEqual(new Set(["cursor"]));
});
