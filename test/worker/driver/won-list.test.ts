import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import * as z from "zod/mini";
import { beforeEach, describe, expect, it } from "vitest";
import type { BlockItem, BlocksResponse } from "../../../worker/contract/work/blocks.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import { versionOf } from "../../../db/shapes/versioned.ts";
import { capturedBlock } from "../../../db/shapes/log/driver-log.ts";
import { Store } from "../../../durable/driver/storage/store.ts";
import { storedRows } from "../../../durable/driver/storage/stored-shapes.ts";
import { linkPlatformAccount } from "../../support/sandbox-client.ts";
import {
  apiTarget,
  countWonDays,
  createActiveDriver,
  createDriver,
  createLinkedDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const HOUR_MS = 3_600_000;
/** A whole second, as the platform writes its instants. */
const FIRST_AT = Math.floor(Date.now() / 1000) * 1000 - 60 * 24 * HOUR_MS;

type WonItem = Extract<BlockItem, { type: "won" }>;

async function wonPage(driver: TestDriver, cursor: string | null): Promise<BlocksResponse> {
  const rest = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
  return driver.client.fetchJson("GET", `/flex/v1/blocks?type=won${rest}`);
}

/** Every page of *Won*. `between` happens after each. */
async function readWon(driver: TestDriver, between?: () => Promise<void>): Promise<WonItem[]> {
  const items: WonItem[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await wonPage(driver, cursor);
    items.push(...page.items.filter((item) => item.type === "won"));
    if (page.cursor === null) return items;
    cursor = page.cursor;
    await between?.();
  }
}

/** The n-th block of this file. Two at a time are captured in the same second. */
const block = (index: number) => ({
  blockId: `b-${String(index).padStart(4, "0")}`,
  offerId: `o-${index}`,
  warehouseId: "w-1",
  serviceType: "parcel",
  startsAt: FIRST_AT + (index + 2) * HOUR_MS,
  endsAt: FIRST_AT + (index + 5) * HOUR_MS,
  payCents: 9000,
  currency: "USD",
  status: "scheduled",
  acceptedAt: FIRST_AT + Math.floor(index / 2) * HOUR_MS,
  checkedInAt: null,
});

/** Blocks that a former release copied to D1. */
async function leaveInD1({ driverId }: TestDriver, indexes: readonly number[]): Promise<void> {
  await env.DB.batch(
    indexes.map((index) => {
      const { blockId, offerId, startsAt, endsAt, acceptedAt } = block(index);
      return env.DB.prepare(
        `INSERT INTO blocks_won (driver_id, block_id, offer_id, attempt_id, warehouse_id, service_type, starts_at, ends_at, pay_cents, currency, captured_at)
         VALUES (?, ?, ?, ?, 'w-1', 'parcel', ?, ?, 9000, 'USD', ?)`,
      ).bind(driverId, blockId, offerId, `attempt-${index}`, startsAt, endsAt, acceptedAt);
    }),
  );
}

async function leftInD1({ driverId }: TestDriver): Promise<number> {
  const query = env.DB.prepare(`SELECT count(*) AS blocks FROM blocks_won WHERE driver_id = ?`);
  return (await query.bind(driverId).first<number>("blocks")) ?? 0;
}

/** Captures as the object keeps them. */
async function keep(driver: TestDriver, indexes: readonly number[]): Promise<void> {
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    const { wonBlocks } = new Store(storage, { log: () => {}, now: Date.now, objectName: null });
    for (const index of indexes)
      wonBlocks.add(
        z.parse(capturedBlock, { attemptId: `attempt-${index}`, block: block(index) }),
        index + 1,
      );
  });
}

/** The storage of a former release, whose captures are in its log alone. */
async function writeFormerLog(driver: TestDriver, indexes: readonly number[]): Promise<void> {
  const object = driverObject(driver);
  await runInDurableObject(object, (_object, { storage }) => {
    for (const index of indexes) {
      const won = block(index);
      const { blockId: _id, status: _status, acceptedAt, checkedInAt: _checkedIn, ...offer } = won;
      const attempt = {
        attemptId: `attempt-${index}`,
        offer: { ...offer, surge: false, expiresAt: won.startsAt },
        payAtLeastCents: 9000,
        createdAt: acceptedAt,
        endedAt: acceptedAt,
        outcome: { status: "won", block: won },
      };
      storage.sql.exec(
        `INSERT INTO events (at, list, offer_id, cents, value, version) VALUES (?, 'won', ?, 9000, ?, ?)`,
        acceptedAt,
        offer.offerId,
        JSON.stringify({ kind: "attempt_settled", at: acceptedAt, attempt }),
        versionOf(storedRows.event),
      );
    }
    storage.sql.exec(`DROP TABLE won_blocks`);
    for (const later of ["held_blocks", "live_sessions", "listings"]) storage.sql.exec(`DROP TABLE ${later}`);
    storage.sql.exec(`DELETE FROM schema_steps WHERE step >= 6`);
  });
  await evictDurableObject(object);
}

async function emptyLog(driver: TestDriver): Promise<void> {
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    storage.sql.exec(`DELETE FROM events`);
  });
}

/** Lets the object compare its sums with D1's, as it does once a day. */
async function compareNow(driver: TestDriver): Promise<void> {
  const object = driverObject(driver);
  await runInDurableObject(object, (_object, { storage }) => {
    storage.sql.exec(`DELETE FROM state WHERE key = 'intervals'`);
  });
  await evictDurableObject(object);
  await object.wake();
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const ids = (items: readonly WonItem[]) => items.map((item) => item.block.blockId);
const newestFirst = (indexes: readonly number[]) => indexes.map((index) => block(index).blockId).toReversed();

/** The whole list's sums, if all are paid. */
const totalOf = (blocks: number) => ({
  count: blocks,
  payCents: blocks * 9000,
  minutes: blocks * 180,
  currency: blocks === 0 ? null : "USD",
});

describe("the list of captured blocks", () => {
  it("still has a block that is no longer in the object's log, and what became of it", async () => {
    const driver = await createActiveDriver();
    await publishOffer(driver.warehouseIds[0]!);
    await expect.poll(async () => (await runAlarm(driver), countWonDays(driver))).toBe(1);
    const before = await readWon(driver);
    await emptyLog(driver);
    expect(before.map((item) => item.block.status)).toEqual(["scheduled"]);
    expect(await readWon(driver)).toEqual(before);
    expect(await leftInD1(driver)).toBe(0);
  });

  it("shows every block once, newest first, in pages of 50, with what all add up to on the first", async () => {
    const driver = await createDriver();
    expect((await wonPage(driver, null)).total).toEqual(totalOf(0));
    await keep(driver, range(0, 160));
    const first = await wonPage(driver, null);
    const items = await readWon(driver);
    expect(first.items).toHaveLength(50);
    expect(first.total).toEqual(totalOf(160));
    expect((await wonPage(driver, first.cursor)).total).toBe(null);
    expect(ids(items)).toEqual(newestFirst(range(0, 160)));
    expect(new Set(items.map(({ seq }) => seq)).size).toBe(160);
  });

  it("takes over what a former release has in D1 and in its log, each block once, and leaves nothing behind", async () => {
    const driver = await createLinkedDriver();
    // Each is in the log, in the copy, or in both; the newest was not copied.
    await leaveInD1(driver, range(0, 259));
    await writeFormerLog(driver, range(190, 260));
    const first = await wonPage(driver, null);
    expect(first.total).toEqual(totalOf(260));
    expect(ids(await readWon(driver))).toEqual(newestFirst(range(0, 260)));
    expect(await leftInD1(driver)).toBe(0);
    await expect.poll(async () => (await runAlarm(driver), countWonDays(driver))).toBe(260);
  });

  it("takes over whether or not anybody looks, and mends the sums of a database that was restored", async () => {
    const driver = await createLinkedDriver();
    await keep(driver, range(0, 4));
    await leaveInD1(driver, range(4, 6));
    const run = () => compareNow(driver);
    await expect.poll(async () => (await run(), countWonDays(driver))).toBe(6);
    expect(await leftInD1(driver)).toBe(0);
    // An hour before the last captures: a day's sum is old, a day is missing, and a day is there that the object lost.
    await env.DB.batch([
      env.DB.prepare(`DELETE FROM won_days WHERE driver_id = ?`).bind(driver.driverId),
      env.DB.prepare(
        `INSERT INTO won_days (driver_id, day, currency, blocks, pay_cents, minutes) VALUES (?, 7, 'USD', 2, 1, 1)`,
      ).bind(driver.driverId),
    ]);
    await leaveInD1(driver, range(0, 2));
    const known = async () => [await countWonDays(driver), await leftInD1(driver)];
    await expect.poll(async () => (await run(), known())).toEqual([8, 0]);
    expect(await readWon(driver)).toHaveLength(6);
  });

  it("counts a block that was given back, without its pay and its time", async () => {
    const driver = await createDriver();
    await keep(driver, range(0, 3));
    await runInDurableObject(driverObject(driver), (_object, { storage }) => {
      const { wonBlocks } = new Store(storage, { log: () => {}, now: Date.now, objectName: null });
      const forfeited = z.parse(capturedBlock, {
        attemptId: "a",
        block: { ...block(1), status: "forfeited" },
      });
      expect(wonBlocks.follow([forfeited.block])).toEqual([Math.floor(block(1).acceptedAt / (24 * HOUR_MS))]);
      expect(wonBlocks.follow([forfeited.block])).toEqual([]);
    });
    const { items, total } = await wonPage(driver, null);
    expect(total).toEqual({ ...totalOf(2), count: 3 });
    expect(items.map((item) => item.type === "won" && item.block.status)).toEqual([
      "scheduled",
      "forfeited",
      "scheduled",
    ]);
  });

  it("counts what was skipped and missed", async () => {
    const driver = await createActiveDriver();
    await publishOffer(driver.warehouseIds[0]!, { payCents: 50 });
    const page = (type: string) =>
      driver.client.fetchJson<BlocksResponse>("GET", `/flex/v1/blocks?type=${type}`);
    const countOf = async (type: string) => (await page(type)).total?.count;
    await expect.poll(async () => (await runAlarm(driver), await countOf("disliked"))).toBe(1);
    expect(await countOf("lost")).toBe(0);
  });

  it("goes on where it was if more are captured between two pages", async () => {
    const driver = await createDriver();
    await keep(driver, range(0, 130));
    let next = 130;
    const items = await readWon(driver, () => keep(driver, range(next, (next += 2))));
    expect(ids(items)).toEqual(newestFirst(range(0, 130)));
  });

  it("ends with the page that ends with the last block", async () => {
    const driver = await createDriver();
    await keep(driver, range(0, 50));
    const { items, cursor } = await wonPage(driver, null);
    expect([items.length, cursor]).toEqual([50, null]);
  });

  it("goes on over unlinking and linking again", async () => {
    const driver = await createActiveDriver();
    await keep(driver, range(0, 30));
    await driver.client.call("DELETE", "/flex/v1/setup");
    const unlinked = await readWon(driver);
    await linkPlatformAccount({ ...apiTarget, client: driver.client }, driver.email);
    expect([ids(unlinked), ids(await readWon(driver))]).toEqual(
      Array.from({ length: 2 }, () => newestFirst(range(0, 30))),
    );
  });

  it("has nobody else's blocks, and is in the export, oldest first", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    await keep(driver, range(0, 1_002));
    await leaveInD1(driver, range(1_002, 1_004));
    const file = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(file.blocksWon.map(({ blockId }) => blockId)).toEqual(
      range(0, 1_004).map((index) => block(index).blockId),
    );
    expect(await readWon(other)).toEqual([]);
  });

  it("is empty after the account was deleted and made again, in D1 as well", async () => {
    const driver = await createDriver();
    await keep(driver, range(0, 3));
    await compareNow(driver);
    await leaveInD1(driver, range(3, 5));
    await driver.client.call("DELETE", "/flex/v1/user");
    expect([await leftInD1(driver), await countWonDays(driver)]).toEqual([0, 0]);
    await driver.client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber: driver.phoneNumber });
    expect(await readWon(driver)).toEqual([]);
  });

  it("refuses a cursor that it did not give", async () => {
    const driver = await createDriver();
    const answer = await driver.client.call("GET", "/flex/v1/blocks?type=won&cursor=12;DROP");
    expect(answer.status).toBe(400);
  });
});
