import { and, asc, desc, eq, gt, inArray, lt, lte, notInArray, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import {
  FINAL_TEXT_STATUSES,
  isAboutNumber,
  isPermanent,
  PAUSE_AFTER,
  type TextDelivery,
  type TextProblem,
  type TextStatus,
  type TextWord,
} from "../../shapes/text-delivery.ts";
import { DAY_MS, type DriverId, type DurationMs, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { nameOf } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { users } from "../../schema/drivers.ts";
import { sentTexts, textFailures, textReplies } from "../../schema/texts.ts";

/** The id of a STOP that was learned from the gateway's refusal of a text. */
const LEARNED_PREFIX = "gateway ";
/** How long it counts: a START that was never passed on to us is noticed by asking the gateway again. */
const LEARNED_STOP_MS = DAY_MS;

/** A reply beside another of the same number. */
const later = alias(textReplies, "later");
const isLearned = sql`${textReplies.id} like ${`${LEARNED_PREFIX}%`}`;

/** One of the texts that were sent for a driver in the last days; null if it is none of theirs. */
export async function findTextOf(
  db: Db,
  { driverId, id }: { driverId: DriverId; id: string },
): Promise<typeof sentTexts.$inferSelect | null> {
  const [row] = await db
    .select()
    .from(sentTexts)
    .where(and(eq(sentTexts.id, id), eq(sentTexts.account, driverId)));
  return row ?? null;
}

/** Whether texts reach a number. */
export async function loadTextDelivery(db: Db, phoneNumber: string, now: EpochMs): Promise<TextDelivery> {
  const [[reply], [failure]] = await db.batch([
    latestReply(db, phoneNumber, now),
    db.select().from(textFailures).where(eq(textFailures.phoneNumber, phoneNumber)),
  ]);
  if (reply?.word === "stop") return { status: "stopped", since: reply.at };
  if (!failure) return { status: "ok" };
  const { problem, pausedAt, failedAt } = failure;
  return pausedAt === null
    ? { status: "failing", problem, since: failedAt }
    : { status: "paused", problem, since: pausedAt };
}

/** The query of the last word of a number that counts. */
export function latestReply(db: Db, phoneNumber: string, now: EpochMs) {
  const { word, at } = textReplies;
  const stillCounts = or(sql`not ${isLearned}`, gt(at, now - LEARNED_STOP_MS));
  return db
    .select({ word, at })
    .from(textReplies)
    .where(and(eq(textReplies.phoneNumber, phoneNumber), stillCounts))
    .orderBy(desc(at), desc(sql`${textReplies}.rowid`))
    .limit(1);
}

/** That a number's owner did not stop its texts, as a condition of what is stored with one. */
export function isNotStopped(db: Db, phoneNumber: string, now: EpochMs): SQL {
  const latest = latestReply(db, phoneNumber, now).as("latest");
  return sql`NOT EXISTS (SELECT 1 FROM ${latest} WHERE ${latest.word} = 'stop')`;
}

/** A text that is about to be sent. */
export type NewSentText = Pick<
  typeof sentTexts.$inferInsert,
  "id" | "phoneNumber" | "account" | "sentAt" | "about"
>;

/** Notes a text before it is sent, since its first report may be faster than the answer. */
export async function insertSentText(db: Db, text: NewSentText): Promise<void> {
  await db.insert(sentTexts).values(newTextRow(text));
}

/** The row of a text before it is sent. */
export function newTextRow(text: NewSentText) {
  return { ...text, status: "queued" as const, reportedAt: null };
}

/** The meaning of a report for the number. `stopped`: its owner replied STOP, so that the text was never sent. */
export type TextOutcome =
  | { kind: "arrived" }
  | { kind: "stopped" }
  | { kind: "failed"; problem: TextProblem };

/**
 * Takes a report of a text: at most one final one, and none after it, so that repeated and late ones change nothing.
 * @param report.outcome what it says of the number; null if nothing
 * @returns false for a text that we did not send or that has ended
 */
export async function applyReport(
  db: Db,
  report: {
    id: string;
    status: TextStatus;
    outcome: TextOutcome | null;
    now: EpochMs;
  },
): Promise<boolean> {
  const { id, status, outcome, now } = report;
  const isOpen = and(eq(sentTexts.id, id), notInArray(sentTexts.status, [...FINAL_TEXT_STATUSES]));
  const number = db.select({ phoneNumber: sentTexts.phoneNumber }).from(sentTexts).where(isOpen);
  const close = db
    .update(sentTexts)
    .set({ status, reportedAt: now })
    .where(isOpen)
    .returning({ id: sentTexts.id });
  if (outcome?.kind === "failed") {
    const [, closed] = await db.batch([
      countFailure(
        db,
        { phoneNumber: sql`${sentTexts.phoneNumber}`, query: sql`from ${sentTexts} where ${isOpen}` },
        { problem: outcome.problem, now },
      ),
      close,
    ]);
    return closed.length === 1;
  }
  if (outcome?.kind === "stopped") {
    // As of when the text left: a START since then is newer.
    const stop = {
      id: `${LEARNED_PREFIX}${id}`,
      phoneNumber: sql`${sentTexts.phoneNumber}`,
      word: "stop" as const,
      at: sql`${sentTexts.sentAt}`,
    };
    const learned = insertFrom(db, textReplies, stop, sql`from ${sentTexts} where ${isOpen}`);
    const [, closed] = await db.batch([learned.onConflictDoNothing(), close]);
    return closed.length === 1;
  }
  if (outcome?.kind === "arrived") {
    const arrived = db.delete(textFailures).where(inArray(textFailures.phoneNumber, number));
    const [, closed] = await db.batch([arrived, close]);
    return closed.length === 1;
  }
  return (await close).length === 1;
}

/** Whether one of the latest texts that ended arrived; true before any ended. */
export async function hasTextArrivedLately(db: Db, texts: number): Promise<boolean> {
  const ended = await db
    .select({ status: sentTexts.status })
    .from(sentTexts)
    .where(inArray(sentTexts.status, ["delivered", "read", "undelivered", "failed"]))
    .orderBy(desc(sentTexts.sentAt))
    .limit(texts);
  return ended.length < texts || ended.some(({ status }) => status === "delivered" || status === "read");
}

/** Closes a text that was certainly not sent. */
export async function closeUnsentText(db: Db, id: string, now: EpochMs): Promise<void> {
  await closeStatement(db, id, now);
}

/** Forgets a text that no report is due of, or whose report nobody needs. */
export async function forgetText(db: Db, id: string): Promise<void> {
  await db.delete(sentTexts).where(eq(sentTexts.id, id));
}

function closeStatement(db: Db, id: string, now: EpochMs) {
  return db.update(sentTexts).set({ status: "failed", reportedAt: now }).where(eq(sentTexts.id, id));
}

/** Counts a text that the gateway refused at once because of its number, and closes it. */
export async function applyRefusal(
  db: Db,
  refusal: {
    id: string;
    phoneNumber: string;
    problem: TextProblem;
    now: EpochMs;
  },
): Promise<void> {
  const { id, phoneNumber, now } = refusal;
  await db.batch([
    countFailure(db, { phoneNumber, query: sql`where true` }, refusal),
    closeStatement(db, id, now),
  ]);
}

/**
 * The statement that keeps a failure, and pauses the number where that is one too many of its own. One that is the sender's
 * is shown, and counts for nothing: repairing it would resume nobody.
 * @param failed the number, and the query that it is of
 */
function countFailure(
  db: Db,
  { phoneNumber, query }: { phoneNumber: string | SQL; query: SQL },
  { problem, now }: { problem: TextProblem; now: EpochMs },
) {
  const one = isAboutNumber(problem) ? 1 : 0;
  const permanentOne = isPermanent(problem) ? 1 : 0;
  const isTooMany = sql`${textFailures.failures} + ${one} >= ${PAUSE_AFTER.any} or ${textFailures.permanentFailures} + ${permanentOne} >= ${PAUSE_AFTER.permanent}`;
  // A paused number stays so for the reason that paused it.
  const shown =
    one === 1
      ? problem
      : sql`case when ${textFailures.pausedAt} is null then ${problem} else ${textFailures.problem} end`;
  const first = { phoneNumber, failures: one, permanentFailures: permanentOne, problem, failedAt: now };
  return insertFrom(db, textFailures, first, query).onConflictDoUpdate({
    target: textFailures.phoneNumber,
    set: {
      failures: sql`${textFailures.failures} + ${one}`,
      permanentFailures: sql`${textFailures.permanentFailures} + ${permanentOne}`,
      problem: shown,
      failedAt: now,
      pausedAt: sql`case when ${isTooMany} then coalesce(${textFailures.pausedAt}, ${now}) else ${textFailures.pausedAt} end`,
    },
  });
}

/** Lets a paused number be tried again: the next failure pauses it. */
export async function resumeTexts(db: Db, phoneNumber: string): Promise<void> {
  await resumeStatement(db, phoneNumber);
}

function resumeStatement(db: Db, phoneNumber: string) {
  return db
    .update(textFailures)
    .set({
      pausedAt: null,
      failures: sql`min(${textFailures.failures}, ${PAUSE_AFTER.any - 1})`,
      permanentFailures: sql`min(${textFailures.permanentFailures}, ${PAUSE_AFTER.permanent - 1})`,
    })
    .where(eq(textFailures.phoneNumber, phoneNumber));
}

/**
 * Notes a STOP or START, once; START also lets a paused number be tried again.
 * @returns false if it is known
 */
export async function insertTextReply(
  db: Db,
  reply: { id: string; phoneNumber: string; word: TextWord; at: EpochMs },
): Promise<boolean> {
  const insert = db.insert(textReplies).values(reply).onConflictDoNothing().returning({ id: textReplies.id });
  if (reply.word === "stop") return (await insert).length === 1;
  const [added] = await db.batch([insert, resumeStatement(db, reply.phoneNumber)]);
  return added.length === 1;
}

/** Notes a STOP that the gateway refused a text for, and closes the text. It counts for a day. */
export async function noteLearnedStop(
  db: Db,
  { textId, phoneNumber, at }: { textId: string; phoneNumber: string; at: EpochMs },
): Promise<void> {
  const id = `${LEARNED_PREFIX}${textId}`;
  await db.batch([
    db.insert(textReplies).values({ id, phoneNumber, word: "stop", at }).onConflictDoNothing(),
    closeStatement(db, textId, at),
  ]);
}

/**
 * Forgets texts and failures that are older than these ages, and replies that nothing depends on: all but the latest of a
 * number once they are as old as texts and can't be repeated, and a START that is as old as failures. A STOP is kept for good.
 */
export async function deleteOldTexts(
  db: Db,
  now: EpochMs,
  ages: { textMs: DurationMs; failureMs: DurationMs },
): Promise<void> {
  // By what somebody replied: a learned STOP ends by itself, and what was before it counts again.
  const isSuperseded = sql`exists (select 1 from ${textReplies} ${later}
    where ${later.phoneNumber} = ${textReplies.phoneNumber} and ${later.id} not like ${`${LEARNED_PREFIX}%`}
    and (${later.at} > ${textReplies.at} or ${later.at} = ${textReplies.at} and ${later}.rowid > ${textReplies}.rowid))`;
  await db.batch([
    db.delete(sentTexts).where(lt(sentTexts.sentAt, now - ages.textMs)),
    db.delete(textFailures).where(lt(textFailures.failedAt, now - ages.failureMs)),
    db.delete(textReplies).where(and(isLearned, lte(textReplies.at, now - LEARNED_STOP_MS))),
    db.delete(textReplies).where(and(lt(textReplies.at, now - ages.textMs), isSuperseded)),
    db
      .delete(textReplies)
      .where(and(eq(textReplies.word, "start"), lt(textReplies.at, now - ages.failureMs))),
  ]);
}

/** The numbers that are a driver's: what is known of one that they only entered is not theirs to see. */
function numbersOf(driverId: DriverId) {
  return sql`(select ${users.phoneNumber} from ${users} where ${users.id} = ${driverId}
    union select ${users.preferredPhoneNumber} from ${users} where ${users.id} = ${driverId} and ${users.preferredPhoneVerified} = 1 and ${users.preferredPhoneNumber} is not null)`;
}

/** The statements that forget whether texts reached a driver's numbers. A STOP stays; before the record goes. */
export function textRowsOf(db: Db, driverId: DriverId) {
  const numbers = numbersOf(driverId);
  const { phoneNumber, word, at } = textReplies;
  const latest = sql`(select ${phoneNumber} as ${nameOf(phoneNumber)}, ${word} as ${nameOf(word)}, max(${at})
    from ${textReplies} group by ${phoneNumber}) ${later}`;
  const stopped = sql`(select ${later.phoneNumber} from ${latest} where ${later.word} <> 'start')`;
  return [
    db.delete(textFailures).where(sql`${textFailures.phoneNumber} in ${numbers}`),
    db
      .delete(textReplies)
      .where(
        and(sql`${textReplies.phoneNumber} in ${numbers}`, sql`${textReplies.phoneNumber} not in ${stopped}`),
      ),
  ] as const;
}

/** The queries of a driver's texts for their export: the last days' texts, what failed, and STOP and START. */
export function textExportQueries(db: Db, driverId: DriverId) {
  const numbers = numbersOf(driverId);
  const { phoneNumber, status, sentAt, reportedAt } = sentTexts;
  return [
    db
      .select({ phoneNumber, status, sentAt, reportedAt })
      .from(sentTexts)
      .where(eq(sentTexts.account, driverId))
      .orderBy(asc(sentTexts.sentAt)),
    db
      .select()
      .from(textFailures)
      .where(sql`${textFailures.phoneNumber} in ${numbers}`),
    db
      .select({ phoneNumber: textReplies.phoneNumber, word: textReplies.word, at: textReplies.at })
      .from(textReplies)
      .where(sql`${textReplies.phoneNumber} in ${numbers}`)
      .orderBy(asc(textReplies.at)),
  ] as const;
}
