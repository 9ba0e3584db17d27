import { and, count, eq, gt, isNull, lte, max, ne, sql, type SQL } from "drizzle-orm";
import type { Language } from "../../shapes/language.ts";
import { DAY_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertFrom } from "../../insert-where.ts";
import { poolNotices, type NoticeKind } from "../../schema/identity.ts";
import { users } from "../../schema/drivers.ts";

/** A change that is texted to the owner of an account. */
export type AccountNotice = typeof poolNotices.$inferSelect;

/** How long a change can be undone. */
export const UNDO_MS = 7 * DAY_MS;

/**
 * The statements that leave a change to be texted, in the language of the record. For the batch that makes the change.
 * @param change.phoneNumber the number that gets the text: the one that the account had before
 * @param change.isMade what holds once the change is made; left out if the batch makes it in any case
 */
export function noteAccountNotice(
  db: Db,
  change: { userId: DriverId; kind: NoticeKind; phoneNumber: string | SQL; now: EpochMs; isMade?: SQL },
) {
  const { userId, kind, phoneNumber, now, isMade = sql`1` } = change;
  const language = sql<Language>`coalesce((select ${users.language} from ${users} where ${users.id} = ${userId}), 'en')`;
  return [
    db.delete(poolNotices).where(lte(poolNotices.expiresAt, now)),
    insertFrom(
      db,
      poolNotices,
      {
        id: sql`lower(hex(randomblob(16)))`,
        userId,
        kind,
        phoneNumber: sql`number`,
        language,
        changedAt: now,
        expiresAt: now + UNDO_MS,
      },
      sql`from (select ${phoneNumber} as number) where number like '+%' and ${isMade}`,
    ),
  ] as const;
}

/** Changes of an account not yet texted to the owner, the oldest first. */
export function listUntoldNotices(db: Db, userId: DriverId): Promise<AccountNotice[]> {
  return db
    .select()
    .from(poolNotices)
    .where(and(eq(poolNotices.userId, userId), isNull(poolNotices.toldAt)))
    .orderBy(poolNotices.changedAt);
}

/** Marks a notice as told, before its text is sent, so that nobody gets it twice. @returns false if another caller was first */
export async function claimNotice(
  db: Db,
  { id, now, tokenHash }: { id: string; now: EpochMs; tokenHash: string },
): Promise<boolean> {
  const claimed = await db
    .update(poolNotices)
    .set({ toldAt: now, tokenHash })
    .where(and(eq(poolNotices.id, id), isNull(poolNotices.toldAt)))
    .returning({ id: poolNotices.id });
  return claimed.length === 1;
}

/** Takes a claim back: the text was certainly not sent. */
export async function releaseNotice(db: Db, id: string): Promise<void> {
  await db.update(poolNotices).set({ toldAt: null, tokenHash: null }).where(eq(poolNotices.id, id));
}

/** Deletes a notice that nothing can be undone by. */
export async function deleteNotice(db: Db, id: string): Promise<void> {
  await db.delete(poolNotices).where(eq(poolNotices.id, id));
}

/** The change that a link in a text can undo; null if it was used or has expired. */
export async function findUndoableNotice(
  db: Db,
  tokenHash: string,
  now: EpochMs,
): Promise<AccountNotice | null> {
  const [notice] = await db
    .select()
    .from(poolNotices)
    .where(
      and(
        eq(poolNotices.tokenHash, tokenHash),
        gt(poolNotices.expiresAt, now),
        ne(poolNotices.kind, "deleted"),
      ),
    );
  return notice ?? null;
}

/** How many changes of a kind an account had since an instant, and when the last one was; null if there was none. */
export async function countNotices(
  db: Db,
  { userId, kind, since }: { userId: DriverId; kind: NoticeKind; since: EpochMs },
): Promise<{ changes: number; lastAt: EpochMs | null }> {
  const [counted] = await db
    .select({ changes: count(), lastAt: max(poolNotices.changedAt) })
    .from(poolNotices)
    .where(and(eq(poolNotices.userId, userId), eq(poolNotices.kind, kind), gt(poolNotices.changedAt, since)));
  return counted ?? { changes: 0, lastAt: null };
}
