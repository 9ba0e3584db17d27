import { listBlocksWon } from "../../../db/queries/work/blocks-won.ts";
import type { Db } from "../../../db/client.ts";
import {
  compareWon,
  NEWEST_WON,
  type WonBlock,
  type WonPosition,
} from "../../../db/shapes/work/driver-log.ts";
import { blockId, type DriverId } from "../../../db/shapes/units.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";

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
