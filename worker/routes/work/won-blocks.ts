import { listBlocksWon, sumBlocksWon } from "../../../db/queries/work/blocks-won.ts";
import type { Db } from "../../../db/client.ts";
import {
  compareWon,
  NEWEST_WON,
  type WonBlock,
  type WonPosition,
} from "../../../db/shapes/work/driver-log.ts";
import { blockId, MINUTE_MS, type DriverId } from "../../../db/shapes/units.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { ListTotal } from "../../contract/work/blocks.ts";

/** More captures than 30 days of the log hold. */
const MOST_LOGGED = 1_000;

type WonSource = { db: Db; driverId: DriverId; object: DurableObjectStub<DriverRpc> };

/**
 * One page of the captured blocks, newest first: those of the object's log, which has the last 30 days and what was not
 * copied yet, and from the copy in D1 all others. `next` is the cursor of the following page, null after the last.
 */
export async function listWonHistory(
  { db, driverId, object }: WonSource,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ won: WonBlock[]; next: string | null }> {
  const page = { after: parseCursor(cursor), limit: limit + 1 };
  const [logged, copied] = await Promise.all([object.wonBlocks(page), listBlocksWon(db, driverId, page)]);
  const merged = mergeWonBlocks(logged, copied);
  const won = merged.slice(0, limit);
  const last = won.at(-1);
  return { won, next: merged.length > limit && last ? `${last.at}_${last.block.blockId}` : null };
}

/**
 * The sums of all captured blocks: one by one from the oldest in the log, which knows those that were given back, and by the
 * database before that. A block that was given back counts, and neither pays nor lasts.
 */
export async function sumWonHistory({ db, driverId, object }: WonSource): Promise<ListTotal> {
  const newest = { after: NEWEST_WON, limit: MOST_LOGGED };
  const logged = await object.wonBlocks(newest);
  const since = logged.at(-1)?.at ?? Number.MAX_SAFE_INTEGER;
  const [copied, older] = await Promise.all([
    logged.length === 0 ? [] : listBlocksWon(db, driverId, newest),
    sumBlocksWon(db, driverId, since),
  ]);
  const recent = mergeWonBlocks(
    logged,
    copied.filter(({ at }) => at >= since),
  ).map(({ block }) => block);
  const currency = recent[0]?.currency ?? older[0]?.currency ?? null;
  const paying = recent.filter((block) => block.status !== "forfeited" && block.currency === currency);
  const before = older.find((sum) => sum.currency === currency);
  return {
    count: recent.length + older.reduce((total, { count }) => total + count, 0),
    payCents: paying.reduce((total, { payCents }) => total + payCents, before?.payCents ?? 0),
    minutes: paying.reduce(
      (total, { startsAt, endsAt }) => total + (endsAt - startsAt) / MINUTE_MS,
      before?.minutes ?? 0,
    ),
    currency,
  };
}

/** Both, each block once; where both have it, as in the log, which knows what became of it. */
export function mergeWonBlocks(logged: readonly WonBlock[], copied: readonly WonBlock[]): WonBlock[] {
  const byId = new Map([...copied, ...logged.toReversed()].map((won) => [won.block.blockId, won]));
  return [...byId.values()].toSorted((one, other) => compareWon(positionOf(one), positionOf(other)));
}

function positionOf({ at, block }: WonBlock): WonPosition {
  return { at, blockId: block.blockId };
}

function parseCursor(cursor: string | null): WonPosition {
  if (cursor === null) return NEWEST_WON;
  const [, at, id] = /^([0-9]+)_(.+)$/.exec(cursor) ?? [];
  return { at: Number(at), blockId: blockId.parse(id) };
}
