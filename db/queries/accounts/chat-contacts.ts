import { and, asc, desc, eq, gte, isNotNull, lte, max, ne, or, isNull, sql } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { isAmong, jsonRows } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { chatContacts } from "../../schema/voice.ts";
import { users } from "../../schema/drivers.ts";
import { poolSessions } from "../../schema/identity.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";

/** An identifier of a driver at the support chat, and what is to be done there. */
export type ChatContact = typeof chatContacts.$inferSelect;

/** The identifier that a driver has at the chat, null if they never opened it, and when a sign-in of theirs last ended. */
export async function loadChatIdentifier(
  db: Db,
  driverId: DriverId,
): Promise<{ present: string | null; endedAt: EpochMs | null }> {
  const [[row], [ended]] = await db.batch([
    db
      .select({ identifier: chatContacts.identifier })
      .from(chatContacts)
      .where(
        and(
          eq(chatContacts.driverId, driverId),
          isNull(chatContacts.successor),
          eq(chatContacts.isDeleted, false),
        ),
      )
      .orderBy(desc(sql`${chatContacts}.rowid`))
      .limit(1),
    db
      .select({ at: max(poolSessions.revokedAt) })
      .from(poolSessions)
      .where(eq(poolSessions.userId, driverId)),
  ]);
  return { present: row?.identifier ?? null, endedAt: ended?.at ?? null };
}

/** The same of many drivers, of those who ever opened the chat. */
export async function loadChatIdentifiers(
  db: Db,
  ids: readonly DriverId[],
): Promise<ReadonlyMap<DriverId, { present: string; endedAt: EpochMs | null }>> {
  const [contacts, ends] = await db.batch([
    db
      .select({ driverId: chatContacts.driverId, present: chatContacts.identifier })
      .from(chatContacts)
      .where(
        and(
          isAmong(chatContacts.driverId, ids),
          isNull(chatContacts.successor),
          eq(chatContacts.isDeleted, false),
        ),
      )
      .orderBy(asc(sql`${chatContacts}.rowid`)),
    db
      .select({ driverId: poolSessions.userId, at: max(poolSessions.revokedAt) })
      .from(poolSessions)
      .where(isAmong(poolSessions.userId, ids))
      .groupBy(poolSessions.userId),
  ]);
  const endedAt = new Map(ends.map(({ driverId, at }) => [driverId, at]));
  return new Map(
    contacts.map(({ driverId, present }) => [driverId, { present, endedAt: endedAt.get(driverId) ?? null }]),
  );
}

/** Stores the driver's present identifier. Contacts under earlier ones are to go on under it. */
export async function recordChatIdentifier(
  db: Db,
  { driverId, identifier, now }: { driverId: DriverId; identifier: string; now: EpochMs },
): Promise<void> {
  await recordChatIdentifiers(db, [{ driverId, identifier }], now);
}

export async function recordChatIdentifiers(
  db: Db,
  present: readonly Pick<ChatContact, "driverId" | "identifier">[],
  now: EpochMs,
): Promise<void> {
  if (present.length === 0) return;
  const asCurrent = { successor: null, isDeleted: false, tries: 0, dueAt: null };
  const { source, field } = jsonRows(present);
  const identifier = sql<string>`(SELECT ${field("identifier")} FROM ${source}
    WHERE ${field("driverId")} = ${chatContacts.driverId})`;
  await db.batch([
    insertFrom(
      db,
      chatContacts,
      { identifier: field("identifier"), driverId: field("driverId"), ...asCurrent },
      sql`FROM ${source} WHERE EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${field("driverId")})`,
    ).onConflictDoUpdate({
      target: chatContacts.identifier,
      set: asCurrent,
      setWhere: isNotNull(chatContacts.dueAt),
    }),
    db
      .update(chatContacts)
      .set({ successor: identifier, tries: 0, dueAt: now })
      .where(
        and(
          isAmong(
            chatContacts.driverId,
            present.map(({ driverId }) => driverId),
          ),
          ne(chatContacts.identifier, identifier),
          or(isNull(chatContacts.successor), ne(chatContacts.successor, identifier)),
        ),
      ),
  ]);
}

/** The statement that leaves the contacts of a driver who is gone to be deleted. */
export function deletedChatContactsOf(db: Db, driverId: DriverId) {
  return db
    .update(chatContacts)
    .set({ successor: null, isDeleted: true, tries: 0, dueAt: 0 })
    .where(and(eq(chatContacts.driverId, driverId), eq(chatContacts.isDeleted, false)));
}

/** Contacts with a call to make at the chat, the longest overdue first. */
export async function listDueChatContacts(db: Db, now: EpochMs, limit: number): Promise<ChatContact[]> {
  return db
    .select()
    .from(chatContacts)
    .where(lte(chatContacts.dueAt, now))
    .orderBy(asc(chatContacts.dueAt))
    .limit(limit);
}

/** Whether the chat has refused a call for a contact so many times. */
export async function areContactsStuck(db: Db, tries: number): Promise<boolean> {
  const stuck = await db
    .select({ identifier: chatContacts.identifier })
    .from(chatContacts)
    .where(and(gte(chatContacts.dueAt, 0), gte(chatContacts.tries, tries)))
    .limit(1);
  return stuck.length > 0;
}

/** The chat has followed. The row stays if it was changed in the meantime. */
export async function finishChatContact(db: Db, contact: ChatContact): Promise<void> {
  await db.delete(chatContacts).where(unchanged(contact));
}

/** The chat has not followed: it is asked again at `dueAt`. */
export async function postponeChatContact(db: Db, contact: ChatContact, dueAt: EpochMs): Promise<void> {
  await db
    .update(chatContacts)
    .set({ tries: contact.tries + 1, dueAt })
    .where(unchanged(contact));
}

function unchanged({ identifier, successor, isDeleted }: ChatContact) {
  return and(
    eq(chatContacts.identifier, identifier),
    sql`${chatContacts.successor} IS ${successor}`,
    eq(chatContacts.isDeleted, isDeleted),
    isNotNull(chatContacts.dueAt),
  );
}
