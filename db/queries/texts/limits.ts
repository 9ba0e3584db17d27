import { and, gt, inArray, lte, sql } from "drizzle-orm";
import type { DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded, jsonRows } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { textCounts } from "../../schema/texts.ts";

/** At most `most` texts of a key in a window that begins with the first of them. */
export type TextLimit = {
  key: string;
  most: number;
  windowMs: DurationMs;
  /** False: the limit must not be reached, but this text doesn't add to it. */
  counts: boolean;
};

/**
 * Counts a text against all of its limits, or against none of them if one is reached. One statement, which D1 runs by
 * itself: parallel callers can't both get the last text.
 * @returns the limits that are reached; none if the text may be sent
 */
export async function countText(db: Db, limits: readonly TextLimit[], now: EpochMs): Promise<TextLimit[]> {
  const closed = limits.filter(({ most }) => most < 1);
  if (closed.length > 0) return closed;
  const { source: asked, field } = jsonRows(
    limits.map(({ key, most, windowMs, counts }) => ({
      key,
      most,
      endsAt: now + windowMs,
      step: counts ? 1 : 0,
    })),
  );
  const isOver = lte(textCounts.endsAt, now);
  const sent = excluded(textCounts.sent);
  const [reached] = await db.batch([
    db
      .select({ key: textCounts.key })
      .from(textCounts)
      .where(
        and(
          gt(textCounts.endsAt, now),
          sql`${textCounts.sent} >= (select ${field("most")} from ${asked} where ${field("key")} = ${textCounts.key})`,
          inArray(
            textCounts.key,
            limits.map(({ key }) => key),
          ),
        ),
      ),
    insertFrom(
      db,
      textCounts,
      { key: field("key"), sent: field("step"), endsAt: field("endsAt") },
      sql`from ${asked} where not exists (select 1 from ${textCounts} join ${asked} on ${textCounts.key} = ${field("key")}
        where ${textCounts.endsAt} > ${now} and ${textCounts.sent} >= ${field("most")})`,
    ).onConflictDoUpdate({
      target: textCounts.key,
      set: {
        sent: sql`case when ${isOver} then ${sent} else ${textCounts.sent} + ${sent} end`,
        endsAt: sql`case when ${isOver} then ${excluded(textCounts.endsAt)} else ${textCounts.endsAt} end`,
      },
    }),
    db.delete(textCounts).where(lte(textCounts.endsAt, now)),
  ]);
  const keys = new Set(reached.map(({ key }) => key));
  return limits.filter(({ key }) => keys.has(key));
}

/** Takes a text back that was counted but certainly not sent. */
export async function uncountText(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .update(textCounts)
    .set({ sent: sql`max(0, ${textCounts.sent} - 1)` })
    .where(inArray(textCounts.key, [...keys]));
}
