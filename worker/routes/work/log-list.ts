import type { BlockList, LogEntry } from "../../../db/shapes/work/driver-log.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";

/** Rows that the object reads in one go, between which it can poll. */
const PAGE_SIZE = 250;

/** One of the log's lists since an instant, the newest first. */
export async function loadLogList(
  object: DurableObjectStub<DriverRpc>,
  name: BlockList,
  { from, most }: { from: EpochMs; most: number },
): Promise<LogEntry[]> {
  const rows: LogEntry[] = [];
  for (let cursor = Number.MAX_SAFE_INTEGER; rows.length < most;) {
    const page = await object.list(name, { cursor, limit: PAGE_SIZE });
    rows.push(...page.filter(({ event }) => event.at >= from));
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE || last.event.at < from) break;
    cursor = last.seq;
  }
  return rows.slice(0, most);
}
