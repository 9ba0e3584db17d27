import { eq, inArray, lte, sql } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { jsonRows } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { linkLeases } from "../../schema/drivers.ts";
import type { EpochMs } from "../../shapes/units.ts";
import {
  countGuessStatements,
  readGuessCount,
  takeGuessBackStatement,
  type GuessCount,
  type GuessLimit,
} from "../identity/guesses.ts";

/** The subjects that one caller holds, and until when if it never lets go. */
export type LinkLease = { holder: string; subjects: readonly string[]; until: EpochMs };

/**
 * Takes subjects for one caller, all or none, and counts the try, in one trip: one that is refused for another isn't counted.
 * @returns null if another holds one of them
 */
export async function beginLinkTry(
  db: Db,
  { lease, limits }: { lease: LinkLease; limits: readonly GuessLimit[] },
  now: EpochMs,
): Promise<GuessCount | null> {
  const { holder, subjects, until } = lease;
  const { source, field } = jsonRows(subjects.map((subject) => ({ subject })));
  const isTaken = sql`EXISTS (SELECT 1 FROM ${linkLeases} WHERE ${linkLeases.holder} = ${holder})`;
  const [, taken, ...counted] = await db.batch([
    db.delete(linkLeases).where(lte(linkLeases.until, now)),
    insertFrom(
      db,
      linkLeases,
      { subject: field("subject"), holder, until },
      sql`FROM ${source} WHERE NOT EXISTS (SELECT 1 FROM ${linkLeases} WHERE ${inArray(linkLeases.subject, [...subjects])})`,
    ).returning({ subject: linkLeases.subject }),
    ...countGuessStatements(db, limits, now, isTaken),
  ]);
  return taken.length === subjects.length ? readGuessCount(counted, limits, now) : null;
}

/** Gives back what a caller holds, and takes the try back that was not a wrong one. */
export async function endLinkTry(
  db: Db,
  { holder, uncounted }: { holder: string; uncounted: readonly string[] },
): Promise<void> {
  await db.batch([
    db.delete(linkLeases).where(eq(linkLeases.holder, holder)),
    takeGuessBackStatement(db, uncounted),
  ]);
}
