import { and, asc, desc, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import type { Announcement, Audience } from "../../shapes/announcement.ts";
import { language, LANGUAGES } from "../../shapes/language.ts";
import { recordOf } from "../../shapes/record-of.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { users } from "../../schema/drivers.ts";
import { spots } from "../../schema/spots.ts";
import { announcements } from "../../schema/voice.ts";

export type AnnouncementRow = typeof announcements.$inferSelect;

/** The driver that a row is for; null for nobody that we know. */
export function audienceOf({ audience, audienceOf: of }: AnnouncementRow): Audience | null {
  if (audience === "all") return { kind: "all" };
  if (audience === "city") return of === null ? null : { kind: "city", city: of };
  const known = language.safeParse(of);
  return audience === "language" && known.success ? { kind: "language", language: known.data } : null;
}

/** The announcements that a driver sees now, the latest first. */
export async function loadDriverAnnouncements(
  db: Db,
  driverId: DriverId,
  now: EpochMs,
): Promise<Announcement[]> {
  const { audience, audienceOf: of, startsAt, endsAt } = announcements;
  const rows = await db
    .select()
    .from(announcements)
    .where(
      and(
        gt(endsAt, now),
        lte(startsAt, now),
        sql`(${audience} = 'all'
          OR ${audience} = 'language' AND ${of} = (SELECT ${users.language} FROM ${users} WHERE ${users.id} = ${driverId})
          OR ${audience} = 'city' AND ${of} = (SELECT ${spots.city} FROM ${spots} WHERE ${spots.driverId} = ${driverId}))`,
      ),
    )
    .orderBy(desc(endsAt));
  return rows
    .map(toAnnouncement)
    .toSorted((one, other) => other.startsAt - one.startsAt)
    .map(withoutStart);
}

function withoutStart({ id, text, endsAt }: ReturnType<typeof toAnnouncement>): Announcement {
  return { id, text, endsAt };
}

/** A row as a driver gets it. */
export function toAnnouncement({ id, startsAt, endsAt, ...row }: AnnouncementRow) {
  return { id, text: recordOf(LANGUAGES, (each) => row[each]), startsAt, endsAt };
}

/** The announcements of the last while and of those to come, the latest to end first. */
export function listAnnouncements(db: Db, limit: number): Promise<AnnouncementRow[]> {
  return db.select().from(announcements).orderBy(desc(announcements.endsAt)).limit(limit);
}

export async function loadAnnouncement(db: Db, id: string): Promise<AnnouncementRow | null> {
  const [row] = await db.select().from(announcements).where(eq(announcements.id, id));
  return row ?? null;
}

/** The announcements with these ids. */
export function listAnnouncementsById(db: Db, ids: readonly string[]): Promise<AnnouncementRow[]> {
  return db
    .select()
    .from(announcements)
    .where(sql`${announcements.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** Announcements that hold and haven't reached all objects, the first to begin first. */
export function listUntoldAnnouncements(db: Db, now: EpochMs, limit: number): Promise<AnnouncementRow[]> {
  const { isTold, startsAt, endsAt } = announcements;
  return db
    .select()
    .from(announcements)
    .where(and(eq(isTold, false), lte(startsAt, now), gt(endsAt, now)))
    .orderBy(asc(startsAt))
    .limit(limit);
}

/** The next drivers in the order of their ids, with what decides whom an announcement is for. */
export function listDriversAfter(db: Db, after: string, limit: number) {
  return db
    .select({ id: users.id, language: users.language, city: spots.city })
    .from(users)
    .leftJoin(spots, eq(spots.driverId, users.id))
    .where(sql`${users.id} > ${after}`)
    .orderBy(asc(users.id))
    .limit(limit);
}

// Operators' writes. Each statement does nothing unless `where` holds.

export function announceEffects(
  db: Db,
  where: SQL,
  {
    id,
    text,
    audience,
    startsAt,
    endsAt,
    now,
  }: {
    id: string;
    text: Announcement["text"];
    audience: Audience;
    startsAt: EpochMs;
    endsAt: EpochMs;
    now: EpochMs;
  },
) {
  const of =
    audience.kind === "city" ? audience.city : audience.kind === "language" ? audience.language : null;
  const row = { id, ...text, audience: audience.kind, audienceOf: of, startsAt, endsAt, createdAt: now };
  return [insertWhere(db, announcements, row, where)];
}

/** That an announcement holds or will, as a condition. */
export function isAnnouncementRunning(id: string, now: EpochMs): SQL {
  return sql`EXISTS (SELECT 1 FROM ${announcements} WHERE ${announcements.id} = ${id} AND ${announcements.endsAt} > ${now})`;
}

export function endAnnouncementEffects(db: Db, where: SQL, { id, now }: { id: string; now: EpochMs }) {
  return [
    db
      .update(announcements)
      .set({ endsAt: now })
      .where(and(eq(announcements.id, id), where)),
  ];
}
