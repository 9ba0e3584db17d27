import type { BlockList, LogEntry } from "../../db/shapes/log/driver-log.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/** Rows that the object reads in one go, between which it can poll. */
const PAGE_SIZE = 250;

/** A page of a list of the log: the newest entries before a place in it, and before an instant where one is given. */
export type LogPage = { cursor: number; limit: number; before?: EpochMs | undefined };

/** The object of a driver, or its log from within. */
type LogSource = {
  list: (name: BlockList, page: LogPage) => PromiseLike<LogEntry[]>;
};

/** One of the log's lists since an instant, and before another where one is given; the newest first. */
export async function loadLogList(
  source: LogSource,
  name: BlockList,
  { from, before = Infinity, most }: { from: EpochMs; before?: EpochMs; most: number },
): Promise<LogEntry[]> {
  const rows: LogEntry[] = [];
  for (let cursor = Number.MAX_SAFE_INTEGER; rows.length < most;) {
    const page = await source.list(name, {
      cursor,
      limit: PAGE_SIZE,
      ...(before !== Infinity && { before }),
    });
    // An object of the release before gives those after it as well.
    rows.push(...page.filter(({ event }) => event.at >= from && event.at < before));
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE || last.event.at < from) break;
    cursor = last.seq;
  }
  return rows.slice(0, most);
}
