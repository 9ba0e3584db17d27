import type { Context } from "hono";
import { stream } from "hono/streaming";
import { loadDriverData } from "../../../db/queries/accounts/account-deletion.ts";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { NEWEST_WON } from "../../../db/shapes/log/driver-log.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { DriverExport } from "../../contract/account/account.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { parseListingRow } from "../../../db/shapes/log/listing.ts";
import { toUser } from "./user-response.ts";

const LOG_PAGE = 500;
const WON_PAGE = 1_000;
const LISTING_PAGE = 250;

/** All data of a driver as one file, for themselves or for the operators who hand it on. */
export async function streamDriverExport(c: Context<AppEnv>, record: DriverRecord) {
  const { db, deps, userPool } = c.var;
  const { row, profile, ...rest } = record;
  const driverId = row.id;
  const object = deps.driver(driverId);
  const [
    driverData,
    account,
    { warehouses, held },
    givenBack,
    browsersListening,
    textsAbout,
    blocksWon,
    calendar,
    blocksHeld,
    checks,
  ] = await Promise.all([
    loadDriverData(db, driverId),
    userPool?.exportAccount(driverId) ?? null,
    object.snapshot(),
    object.givenBack(),
    object.pushSessions(),
    object.sentTexts(),
    loadWonBlocks(object),
    object.calendar(),
    object.heldBlocks(),
    object.keptChecks(),
  ]);
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
    browsersListening: browsersListening.length,
    calendar: calendar && {
      createdAt: calendar.createdAt,
      withPay: calendar.withPay,
      isPaused: calendar.pausedAt !== null,
    },
    blocksHeld,
    filters: { version: profile.filtersVersion, filters: profile.filters },
    ...driverData,
    blocksWon,
    textsAbout: textsAbout.map((text) => ({ ...text, about: { ...text.about } })),
    warehouses,
    held,
    givenBack,
  };
  c.header("content-type", "application/json");
  c.header("content-disposition", `attachment; filename="${fileName(deps.config.productName, now)}"`);
  // The log of a busy month exceeds the size of one RPC response.
  return stream(c, async (out) => {
    await out.write(`${JSON.stringify(head).slice(0, -1)},"log":[`);
    for (let after = 0; ;) {
      const page = await object.logPage({ after, limit: LOG_PAGE });
      const text = page.map(({ seq, event }) => JSON.stringify({ seq, event })).join(",\n");
      const last = page.at(-1);
      if (last) await out.write(after === 0 ? text : `,\n${text}`);
      if (!last || page.length < LOG_PAGE) break;
      after = last.seq;
    }
    await out.write(`],"listings":[`);
    for (let after = 0, isFirst = true; ;) {
      const page = await object.listingPage({ after, limit: LISTING_PAGE });
      const changes = page.flatMap(parseListingRow);
      if (changes.length > 0) {
        const text = changes.map((change) => JSON.stringify(change)).join(",\n");
        await out.write(isFirst ? text : `,\n${text}`);
        isFirst = false;
      }
      const last = page.at(-1);
      if (!last || page.length < LISTING_PAGE) break;
      after = last.at;
    }
    // Counted last, since reading the log may find some.
    await out.write(`],"unreadableRows":${await object.countUnreadableRows()}}`);
  });
}

/** All captured blocks, oldest first, in pages that fit into an RPC response. */
async function loadWonBlocks(object: DurableObjectStub<DriverRpc>): Promise<Block[]> {
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
