import {
  NEWEST_WON,
  type WonBlock,
  type WonPosition,
  type WonSum,
} from "../../../db/shapes/log/driver-log.ts";
import { blockId } from "../../../db/shapes/units.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import type { ListTotal } from "../../contract/work/blocks.ts";

/** One page of the captured blocks, newest first. `next` is the cursor of the following page, null after the last. */
export async function listWonHistory(
  object: DurableObjectStub<DriverRpc>,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ won: WonBlock[]; next: string | null }> {
  const found = await object.wonBlocks({ after: parseCursor(cursor), limit: limit + 1 });
  const won = found.slice(0, limit);
  const last = won.at(-1);
  return { won, next: found.length > limit && last ? `${last.at}_${last.block.blockId}` : null };
}

/** The sums of the whole list. Pay and minutes are those in the newest block's currency. */
export function toListTotal(sums: readonly WonSum[]): ListTotal {
  const [newest] = sums;
  return {
    count: sums.reduce((total, { blocks }) => total + blocks, 0),
    payCents: newest?.payCents ?? 0,
    minutes: newest?.minutes ?? 0,
    currency: newest?.currency ?? null,
  };
}

function parseCursor(cursor: string | null): WonPosition {
  if (cursor === null) return NEWEST_WON;
  const [, at, id] = /^([0-9]+)_(.+)$/.exec(cursor) ?? [];
  return { at: Number(at), blockId: blockId.parse(id) };
}
