import { and, gt, inArray, lte, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded, jsonRows } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { sentTexts, textCounts } from "../../schema/texts.ts";
import { isNotStopped, latestReply, newTextRow, type NewSentText } from "./delivery.ts";

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
  const closed = closedLimits(limits);
  if (closed.length > 0) return closed;
  const { reached, isOpen, count } = countStatements(db, limits, now);
  const [rows] = await db.batch([reached, ...count(isOpen)]);
  return withKeys(limits, rows);
}

/** A code that is stored in the transaction that counts its text. */
export type CodeStore = {
  /**
   * The statements that store it if its text may be sent. The first has a row with the code's hash if it was stored.
   * @param isOpen that the text may be sent, which holds until the text was counted
   */
  statements(isOpen: SQL): readonly [RunnableQuery<{ hash: string }[], "sqlite">, ...BatchItem<"sqlite">[]];
  /** That it was stored: if not, no text is counted. */
  isStored: SQL;
};

/**
 * Stores a code if its text may be sent, and counts the text against all of its limits if the code was stored, in one
 * transaction: nothing is left of a code that is refused, and the code from before it stays.
 * @param code.text the row by which the gateway's report finds it; null if none is due
 * @returns whether the number's owner stopped its texts, the limits that are reached, and the hash that was stored
 */
export async function countCode(
  db: Db,
  code: { to: string; limits: readonly TextLimit[]; text: NewSentText | null; now: EpochMs },
  store: CodeStore,
): Promise<{ isStopped: boolean; reached: TextLimit[]; hash: string | null }> {
  const { to, limits, text, now } = code;
  const closed = closedLimits(limits);
  const { reached, isOpen, count } = countStatements(db, limits, now);
  const mayBeSent = closed.length > 0 ? sql`false` : sql`(${isOpen} AND ${isNotStopped(db, to, now)})`;
  const [first, ...others] = store.statements(mayBeSent);
  const [[reply], rows, [stored]] = await db.batch([
    latestReply(db, to, now),
    reached,
    first,
    ...others,
    ...(text ? [insertWhere(db, sentTexts, newTextRow(text), sql`${mayBeSent} AND ${store.isStored}`)] : []),
    ...count(sql`${mayBeSent} AND ${store.isStored}`),
  ]);
  return {
    isStopped: reply?.word === "stop",
    reached: closed.length > 0 ? closed : withKeys(limits, rows),
    hash: stored?.hash ?? null,
  };
}

function closedLimits(limits: readonly TextLimit[]): TextLimit[] {
  return limits.filter(({ most }) => most < 1);
}

function withKeys(limits: readonly TextLimit[], rows: readonly { key: string }[]): TextLimit[] {
  const keys = new Set(rows.map(({ key }) => key));
  return limits.filter(({ key }) => keys.has(key));
}

/** The limits that are reached, that none is, and the statements that count a text on a condition. */
function countStatements(db: Db, limits: readonly TextLimit[], now: EpochMs) {
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
  const reached = db
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
    );
  const isOpen = sql`not exists (select 1 from ${textCounts} join ${asked} on ${textCounts.key} = ${field("key")}
    where ${textCounts.endsAt} > ${now} and ${textCounts.sent} >= ${field("most")})`;
  const count = (condition: SQL) =>
    [
      insertFrom(
        db,
        textCounts,
        { key: field("key"), sent: field("step"), endsAt: field("endsAt") },
        sql`from ${asked} where ${condition}`,
      ).onConflictDoUpdate({
        target: textCounts.key,
        set: {
          sent: sql`case when ${isOver} then ${sent} else ${textCounts.sent} + ${sent} end`,
          endsAt: sql`case when ${isOver} then ${excluded(textCounts.endsAt)} else ${textCounts.endsAt} end`,
        },
      }),
      db.delete(textCounts).where(lte(textCounts.endsAt, now)),
    ] as const;
  return { reached, isOpen, count };
}

/** Takes a text back that was counted but certainly not sent. */
export async function uncountText(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .update(textCounts)
    .set({ sent: sql`max(0, ${textCounts.sent} - 1)` })
    .where(inArray(textCounts.key, [...keys]));
}
