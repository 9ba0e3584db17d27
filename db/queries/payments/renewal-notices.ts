import { and, eq, inArray, min } from "drizzle-orm";
import type { Cents, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong } from "../../expressions.ts";
import { insertWhere } from "../../insert-where.ts";
import { renewalNotices } from "../../schema/renewal.ts";
import { sentTexts } from "../../schema/texts.ts";
import { hasRecord } from "../accounts/has-record.ts";

/** The service change that announces a coming renewal. */
export function noticeSource({
  consentId,
  end,
  cents,
}: {
  consentId: string;
  end: EpochMs;
  cents: Cents;
}): string {
  return `renewal:${consentId}:${end}:ahead:${cents}`;
}

/**
 * When a channel first confirmed a notice: the carrier took its text or the text arrived, a push service took it, or a page
 * showed it.
 */
export async function loadNoticeConfirmedAt(db: Db, source: string): Promise<EpochMs | null> {
  const [[text], [notice]] = await db.batch([
    db
      .select({ at: min(sentTexts.reportedAt) })
      .from(sentTexts)
      .where(and(eq(sentTexts.about, source), inArray(sentTexts.status, ["sent", "delivered", "read"]))),
    db
      .select({ at: min(renewalNotices.at) })
      .from(renewalNotices)
      .where(eq(renewalNotices.source, source)),
  ]);
  const known = [text?.at, notice?.at].filter((at) => at !== null && at !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}

/** The same of several notices, by source. */
export async function loadNoticesConfirmed(
  db: Db,
  sources: readonly string[],
): Promise<ReadonlyMap<string, EpochMs>> {
  if (sources.length === 0) return new Map();
  const [texts, notices] = await db.batch([
    db
      .select({ source: sentTexts.about, at: min(sentTexts.reportedAt) })
      .from(sentTexts)
      .where(and(isAmong(sentTexts.about, sources), inArray(sentTexts.status, ["sent", "delivered", "read"])))
      .groupBy(sentTexts.about),
    db
      .select({ source: renewalNotices.source, at: min(renewalNotices.at) })
      .from(renewalNotices)
      .where(isAmong(renewalNotices.source, sources))
      .groupBy(renewalNotices.source),
  ]);
  const confirmed = new Map<string, EpochMs>();
  for (const { source, at } of [...texts, ...notices])
    if (source !== null && at !== null) confirmed.set(source, Math.min(at, confirmed.get(source) ?? at));
  return confirmed;
}

/** Notes that a channel delivered a notice to its driver. The first time counts. */
export async function noteNotice(db: Db, notice: typeof renewalNotices.$inferInsert): Promise<void> {
  await insertWhere(db, renewalNotices, notice, hasRecord(notice.driverId)).onConflictDoNothing();
}
