import type { BlockList, LogEntry } from "../../db/shapes/log/driver-log.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/** Rows that the object reads in one go, between which it can poll. */
const PAGE_SIZE = 250;

/** The object of a driver, or its log from within. */
type LogSource = {
  list: (name: BlockList, page: { cursor: number; limit: number }) => PromiseLike<LogEntry[]>;
};

/** One of the log's lists since an instant, the newest first. */
export async function loadLogList(
  source: LogSource,
  name: BlockList,
  { from, most }: { from: EpochMs; most: number },
): Promise<LogEntry[]> {
  const rows: LogEntry[] = [];
  for (let cursor = Number.MAX_SAFE_INTEGER; rows.length < most;) {
    const page = await source.list(name, { cursor, limit: PAGE_SIZE });
    rows.push(...page.filter(({ event }) => event.at >= from));
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE || last.event.at < from) break;
    cursor = last.seq;
  }
  return rows.slice(0, most);
}
