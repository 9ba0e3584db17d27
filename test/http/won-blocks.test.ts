import { expect, it } from "vitest";
import { insertBlockWon, listBlocksWon } from "../../db/queries/work/blocks-won.ts";
import { openDb } from "../../db/client.ts";
import { NEWEST_WON, type LogEntry, type WonPosition } from "../../db/shapes/work/driver-log.ts";
import type { Block } from "../../db/shapes/work/offer.ts";
import { DAY_MS, driverId, HOUR_MS } from "../../db/shapes/units.ts";
import { listLoggedWonBlocks } from "../../durable/driver/services/won-list.ts";
import { blocksQueryInput } from "../../worker/contract/work/blocks.ts";
import { makeBlock, makeOffer, NOON } from "../engine/fixtures.ts";
import { makeAttempt } from "../engine/parts.ts";
import { migratedDatabase } from "../support/migrated-database.ts";
import { bindD1 } from "../support/node-d1.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

const block = (name: string, acceptedAt: number, payCents = 9_000) =>
  makeBlock(makeOffer(name, { payCents }), { acceptedAt });
/** Captured, given back, and captured again for more once another was. */
const CAPTURES = [
  block("again", NOON - DAY_MS),
  block("between", NOON - HOUR_MS),
  block("again", NOON, 9_500),
];

/** Every page of one block, as a list goes on from each. */
async function readAll(page: (after: WonPosition) => Promise<{ at: number; block: Block }[]>) {
  const read: { at: number; payCents: number }[] = [];
  for (let after = NEWEST_WON; ;) {
    const [won] = await page(after);
    if (!won) return read;
    read.push({ at: won.at, payCents: won.block.payCents });
    after = { at: won.at, blockId: won.block.blockId };
  }
}

const ONCE_EACH = [
  { at: NOON, payCents: 9_500 },
  { at: NOON - HOUR_MS, payCents: 9_000 },
];

it("shows a block that was captured again once in the log, where it was captured last", async () => {
  const entries = CAPTURES.map((won, index): LogEntry => ({
    seq: index + 1,
    event: {
      kind: "attempt_settled",
      at: won.acceptedAt,
      attempt: { ...makeAttempt(`${index}`, makeOffer("o")), outcome: { status: "won", block: won } },
    },
  })).toReversed();
  const events = { list: () => entries };
  expect(await readAll(async (after) => listLoggedWonBlocks(events, [], { after, limit: 1 }))).toEqual(
    ONCE_EACH,
  );
});

it("shows it once in the copy as well, in whatever order captures are copied", async () => {
  for (const order of [CAPTURES, CAPTURES.toReversed()]) {
    const db = openDb(bindD1(migratedDatabase()));
    for (const won of order)
      await insertBlockWon(db, DRIVER, { attemptId: `attempt-${won.acceptedAt}`, block: won });
    expect(await readAll((after) => listBlocksWon(db, DRIVER, { after, limit: 1 }))).toEqual(ONCE_EACH);
  }
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
