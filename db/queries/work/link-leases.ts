import { eq, inArray, lte, sql } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { jsonRows } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { linkLeases } from "../../schema/drivers.ts";
import type { EpochMs } from "../../shapes/units.ts";

/** The subjects that one caller holds, and until when if it never lets go. */
export type LinkLease = { holder: string; subjects: readonly string[]; until: EpochMs };

/** Takes subjects for one caller, all or none. @returns false if another holds one of them */
export async function takeLinkLease(
  db: Db,
  { holder, subjects, until }: LinkLease,
  now: EpochMs,
): Promise<boolean> {
  const { source, field } = jsonRows(subjects.map((subject) => ({ subject })));
  const [, taken] = await db.batch([
    db.delete(linkLeases).where(lte(linkLeases.until, now)),
    insertFrom(
      db,
      linkLeases,
      { subject: field("subject"), holder, until },
      sql`FROM ${source} WHERE NOT EXISTS (SELECT 1 FROM ${linkLeases} WHERE ${inArray(linkLeases.subject, [...subjects])})`,
    ).returning({ subject: linkLeases.subject }),
  ]);
  return taken.length === subjects.length;
}

/** Gives back what a caller holds. */
export async function releaseLinkLease(db: Db, holder: string): Promise<void> {
  await db.delete(linkLeases).where(eq(linkLeases.holder, holder));
}
