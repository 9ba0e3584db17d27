import { env, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { BlockItem, BlocksResponse } from "../../worker/contract/work/blocks.ts";
import type { DriverExport } from "../../worker/contract/account/driver-export.ts";
import { versionOf } from "../../db/shapes/versioned.ts";
import { storedRows } from "../../durable/driver/storage/stored-shapes.ts";
import { linkPlatformAccount } from "../support/sandbox-client.ts";
import {
  apiTarget,
  createActiveDriver,
  createDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "./harness.ts";

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

async function copyToD1({ driverId }: TestDriver, indexes: readonly number[]): Promise<void> {
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

async function writeToLog(driver: TestDriver, indexes: readonly number[]): Promise<void> {
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
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
  });
}

/** Takes the oldest captures out of the log, as its pruning does. */
async function pruneLog(driver: TestDriver, blocks: number): Promise<void> {
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    storage.sql.exec(
      `DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE list = 'won' ORDER BY at LIMIT ?)`,
      blocks,
    );
  });
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const ids = (items: readonly WonItem[]) => items.map((item) => item.block.blockId);
const newestFirst = (indexes: readonly number[]) => indexes.map((index) => block(index).blockId).toReversed();

describe("the list of captured blocks", () => {
  it("still has a block that is no longer in the object's log, as it was captured, and claims nothing of what became of it", async () => {
    const driver = await createActiveDriver();
    await publishOffer(driver.warehouseIds[0]!);
    const copies = () =>
      env.DB.prepare(`SELECT 1 FROM blocks_won WHERE driver_id = ?`).bind(driver.driverId).all();
    await expect.poll(async () => (await runAlarm(driver), (await copies()).results)).toHaveLength(1);
    const [before] = await readWon(driver);
    await pruneLog(driver, 1);
    const [after, ...more] = await readWon(driver);

    expect(more).toEqual([]);
    expect(before?.block.status).toBe("scheduled");
    expect(after).toEqual({ ...before, seq: after?.seq, block: { ...before?.block, status: "other" } });
  });

  it("shows every block once over log and copy, newest first, in pages of 50", async () => {
    const driver = await createDriver();
    // Each is in the log, in the copy, or in both; the newest has not been copied yet.
    await copyToD1(driver, range(0, 159));
    await writeToLog(driver, range(90, 160));
    const first = await wonPage(driver, null);
    const items = await readWon(driver);

    expect(first.items).toHaveLength(50);
    expect(ids(items)).toEqual(newestFirst(range(0, 160)));
    expect(new Set(items.map(({ seq }) => seq)).size).toBe(160);
  });

  it("says with its first page what the whole list adds up to, each block once, and the one given back unpaid", async () => {
    const driver = await createDriver();
    expect((await wonPage(driver, null)).total).toEqual({
      count: 0,
      payCents: 0,
      minutes: 0,
      currency: null,
    });
    await copyToD1(driver, range(0, 159));
    const total = { count: 159, payCents: 159 * 9000, minutes: 159 * 180, currency: "USD" };
    expect((await wonPage(driver, null)).total).toEqual(total);
    // The log begins with the second of two that were captured in the same second.
    await writeToLog(driver, range(91, 160));
    await runInDurableObject(driverObject(driver), (_object, { storage }) => {
      storage.sql.exec(
        `UPDATE events SET value = json_set(value, '$.attempt.outcome.block.status', 'forfeited') WHERE offer_id = 'o-100'`,
      );
    });
    const first = await wonPage(driver, null);
    expect(first.total).toEqual({ ...total, count: 160 });
    expect((await wonPage(driver, first.cursor)).total).toBe(null);
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

  it("shows every block once if the log is pruned between two pages", async () => {
    const driver = await createDriver();
    await copyToD1(driver, range(0, 130));
    await writeToLog(driver, range(20, 130));
    expect(ids(await readWon(driver, () => pruneLog(driver, 45)))).toEqual(newestFirst(range(0, 130)));
  });

  it("ends with the page that ends with the last block", async () => {
    const driver = await createDriver();
    await copyToD1(driver, range(0, 50));
    await writeToLog(driver, range(25, 50));
    const { items, cursor } = await wonPage(driver, null);
    expect([items.length, cursor]).toEqual([50, null]);
  });

  it("goes on over unlinking and linking again", async () => {
    const driver = await createActiveDriver();
    await copyToD1(driver, range(0, 30));
    await writeToLog(driver, range(20, 30));
    await driver.client.call("DELETE", "/flex/v1/setup");
    const unlinked = await readWon(driver);
    await linkPlatformAccount({ ...apiTarget, client: driver.client }, driver.email);
    expect([ids(unlinked), ids(await readWon(driver))]).toEqual(
      Array.from({ length: 2 }, () => newestFirst(range(0, 30))),
    );
  });

  it("has nobody else's blocks, and is in the export", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    await copyToD1(driver, range(0, 3));
    const file = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(file.blocksWon.map((row) => row["blockId"])).toEqual(
      range(0, 3).map((index) => block(index).blockId),
    );
    expect(await readWon(other)).toEqual([]);
  });

  it("is empty after the account was deleted and made again", async () => {
    const driver = await createDriver();
    await copyToD1(driver, range(0, 3));
    await writeToLog(driver, range(1, 3));
    await driver.client.call("DELETE", "/flex/v1/user");
    await driver.client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber: driver.phoneNumber });
    expect(await readWon(driver)).toEqual([]);
  });

  it("refuses a cursor that it did not give", async () => {
    const driver = await createDriver();
    const answer = await driver.client.call("GET", "/flex/v1/blocks?type=won&cursor=12;DROP");
    expect(answer.status).toBe(400);
  });
});
