import { change, type Turn } from "./turn.ts";
import type { DriverState, ServiceNews } from "./types.ts";
import { DAY_MS, HOUR_MS, type DurationMs, type EpochMs } from "./units.ts";

/** How long before its end the driver is told. */
const WARN_BEFORE_MS: readonly DurationMs[] = [DAY_MS, HOUR_MS];
/** More than can be on its way at once. */
const NEWS_REMEMBERED = 100;

/**
 * Tells the driver a day and an hour before the paid time ends, once each per end. An end that is
 * learned of later than that is not warned of: who was just told of it knows.
 */
export function warnOfEnd(turn: Turn): void {
  const { now } = turn.ctx;
  const endsAt = turn.state.profile?.serviceUntil ?? null;
  const known = turn.state.endWarnings;
  if (endsAt !== known.endsAt) {
    const leftMs = endsAt === null ? [] : WARN_BEFORE_MS.filter((before) => endsAt - before > now);
    return change(turn, { endWarnings: { endsAt, leftMs } });
  }
  if (endsAt === null) return;
  const due = known.leftMs.filter((before) => endsAt - before <= now);
  if (due.length === 0) return;
  change(turn, { endWarnings: { endsAt, leftMs: known.leftMs.filter((before) => !due.includes(before)) } });
  if (now >= endsAt || turn.state.profile?.waitingForSpot) return;
  turn.log.push({ kind: "service_ending", at: now, endsAt });
  turn.notices.push({ kind: "service_ending", endsAt, leftMs: Math.min(...due) });
}

/** When the driver is next to be told; null where of nothing. */
export function warnAt({ endWarnings: { endsAt, leftMs } }: DriverState): EpochMs | null {
  return endsAt === null || leftMs.length === 0 ? null : endsAt - Math.max(...leftMs);
}

/** Tells the driver once of each thing that changed their service, however often it arrives. */
export function takeNews(turn: Turn, news: readonly ServiceNews[]): void {
  const { heardNews, profile } = turn.state;
  const fresh = news.filter(({ source }) => !heardNews.includes(source));
  if (fresh.length === 0) return;
  const endsAt = profile?.serviceUntil ?? null;
  const until = endsAt !== null && endsAt > turn.ctx.now ? endsAt : null;
  for (const { kind } of fresh) turn.notices.push({ kind: "service_changed", change: kind, until });
  const heard = [...heardNews, ...fresh.map(({ source }) => source)];
  change(turn, { heardNews: heard.slice(-NEWS_REMEMBERED) });
}
