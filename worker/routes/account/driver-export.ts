import type { Context } from "hono";
import { stream } from "hono/streaming";
import { loadDriverData } from "../../../db/queries/accounts/account-deletion.ts";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { NEWEST_WON } from "../../../db/shapes/log/driver-log.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { DriverExport } from "../../contract/account/account.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { isLastPage, parseListingRow } from "../../../db/shapes/log/listing.ts";
import { toUser } from "./user-response.ts";

const LOG_PAGE = 500;
const WON_PAGE = 1_000;
const LISTING_PAGE = 250;

type DriverStub = DurableObjectStub<DriverRpc>;

/**
 * All data of a driver as one file, for themselves or for the operators who hand it on.
 * @param objects all that the driver ever had, today's first: whoever moved to another region has data in each
 */
export async function streamDriverExport(
  c: Context<AppEnv>,
  record: DriverRecord,
  objects: readonly DriverStub[],
) {
  const { db, deps, userPool } = c.var;
  const { row, profile, ...rest } = record;
  const driverId = row.id;
  const [driverData, account, stored] = await Promise.all([
    loadDriverData(db, driverId),
    userPool?.exportAccount(driverId) ?? null,
    readObjects(objects),
  ]);
  const { browsersListening, calendar, checks, ...work } = mergeObjects(stored);
  const now = deps.now();
  const head: Omit<DriverExport, "log" | "listings" | "unreadableRows"> = {
    exportedAt: now,
    account,
    user: toUser({ row, profile, ...rest }, now),
    createdAt: row.createdAt,
    waitingForSpot: row.waitingForSpot,
    notifications: row.notifications,
    reminders: row.reminders,
    checks,
    recording:
      row.recordingConsent === null ? null : { consent: row.recordingConsent, at: row.recordingConsentAt },
    browsersListening,
    calendar: calendar && {
      createdAt: calendar.createdAt,
      withPay: calendar.withPay,
      isPaused: calendar.pausedAt !== null,
    },
    filters: { version: profile.filtersVersion, filters: profile.filters },
    ...driverData,
    ...work,
  };
  c.header("content-type", "application/json");
  c.header("content-disposition", `attachment; filename="${fileName(deps.config.productName, now)}"`);
  // Each object has a log of its own, so today's comes last.
  const formerFirst = objects.toReversed();
  // The log of a busy month exceeds the size of one RPC response.
  return stream(c, async (out) => {
    const write = listWriter((text) => out.write(text));
    await out.write(`${JSON.stringify(head).slice(0, -1)},"log":[`);
    for (const object of formerFirst) await writeLog(object, write);
    await out.write(`],"listings":[`);
    const writeListing = listWriter((text) => out.write(text));
    for (const object of formerFirst) await writeListings(object, writeListing);
    // Counted last, since reading the log may find some.
    const unreadable = await Promise.all(objects.map((object) => object.countUnreadableRows()));
    await out.write(`],"unreadableRows":${unreadable.reduce((sum, rows) => sum + rows, 0)}}`);
  });
}

type ListWriter = (items: readonly object[]) => Promise<void>;

/** Writes the items of a list, a part at a time. */
function listWriter(write: (text: string) => Promise<unknown>): ListWriter {
  let isFirst = true;
  return async (items) => {
    if (items.length === 0) return;
    const text = items.map((item) => JSON.stringify(item)).join(",\n");
    await write(isFirst ? text : `,\n${text}`);
    isFirst = false;
  };
}

async function writeLog(object: DriverStub, write: ListWriter): Promise<void> {
  for (let after = 0; ;) {
    const page = await object.logPage({ after, limit: LOG_PAGE });
    await write(page.map(({ seq, event }) => ({ seq, event })));
    const last = page.at(-1);
    if (!last || page.length < LOG_PAGE) return;
    after = last.seq;
  }
}

async function writeListings(object: DriverStub, write: ListWriter): Promise<void> {
  for (let after = 0; ;) {
    const page = await object.listingPage({ after, limit: LISTING_PAGE });
    await write(page.flatMap(parseListingRow));
    const last = page.at(-1);
    if (!last || isLastPage(page, LISTING_PAGE)) return;
    after = last.at;
  }
}

/** Reads what one object stores, but for its log and the platform's listings. */
async function readObject(object: DriverStub) {
  const [{ warehouses, held }, givenBack, pushSessions, textsAbout, blocksWon, calendar, blocksHeld, checks] =
    await Promise.all([
      object.snapshot(),
      object.givenBack(),
      object.pushSessions(),
      object.sentTexts(),
      loadWonBlocks(object),
      object.calendar(),
      object.heldBlocks(),
      object.keptChecks(),
    ]);
  return { warehouses, held, givenBack, pushSessions, textsAbout, blocksWon, calendar, blocksHeld, checks };
}

/** One after the other, so that today's takes over the captured blocks that wait for it. */
async function readObjects(objects: readonly DriverStub[]): Promise<ObjectData[]> {
  const stored: ObjectData[] = [];
  for (const object of objects) stored.push(await readObject(object));
  return stored;
}

type ObjectData = Awaited<ReturnType<typeof readObject>>;

/** Makes one of what several objects store. The earlier in the list has the say of what two of them have. */
function mergeObjects(stored: readonly ObjectData[]) {
  const blocksOf = (list: (data: ObjectData) => readonly Block[]) => once(stored.flatMap(list), blockIdOf);
  return {
    blocksHeld: blocksOf(({ blocksHeld }) => blocksHeld).toSorted((a, b) => a.startsAt - b.startsAt),
    blocksWon: blocksOf(({ blocksWon }) => blocksWon).toSorted((a, b) => a.acceptedAt - b.acceptedAt),
    textsAbout: stored
      .flatMap(({ textsAbout }) => textsAbout.map((text) => ({ ...text, about: { ...text.about } })))
      .toSorted((a, b) => a.at - b.at),
    warehouses: once(
      stored.flatMap(({ warehouses }) => warehouses),
      ({ warehouseId }) => warehouseId,
    ),
    held: blocksOf(({ held }) => held),
    givenBack: once(
      stored.flatMap(({ givenBack }) => givenBack),
      blockIdOf,
    ),
    browsersListening: stored.reduce((sum, { pushSessions }) => sum + pushSessions.length, 0),
    calendar: firstOf(stored, ({ calendar }) => calendar),
    checks: {
      shiftCheck: firstOf(stored, ({ checks }) => checks.shiftCheck),
      pushLostAt: firstOf(stored, ({ checks }) => checks.pushLostAt),
      weekTold: firstOf(stored, ({ checks }) => checks.weekTold),
    },
  };
}

const blockIdOf = ({ blockId }: { blockId: string }): string => blockId;

/** The first item of each key. */
function once<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
}

function firstOf<Value>(
  stored: readonly ObjectData[],
  read: (data: ObjectData) => Value | null,
): Value | null {
  return stored.map(read).find((value) => value !== null) ?? null;
}

/** All captured blocks, oldest first, in pages that fit into an RPC response. */
async function loadWonBlocks(object: DriverStub): Promise<Block[]> {
  const blocks: Block[] = [];
  for (let after = NEWEST_WON; ;) {
    const page = await object.wonBlocks({ after, limit: WON_PAGE });
    blocks.push(...page.map(({ block }) => block));
    const last = page.at(-1);
    if (!last || page.length < WON_PAGE) return blocks.toReversed();
    after = { at: last.at, blockId: last.block.blockId };
  }
}

function fileName(productName: string, now: number): string {
  const product = productName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `${product}-${new Date(now).toISOString().slice(0, 10)}.json`;
}
