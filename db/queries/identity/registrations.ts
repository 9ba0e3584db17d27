import { and, eq, inArray, lt, notExists, notInArray, sql } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolCodes, poolCodeTries, poolRegistrations, poolUsers } from "../../schema/identity.ts";

/** The number that one network registered, with its other data. */
export type Registration = typeof poolRegistrations.$inferSelect;

/** The most registrations of a number, of which a page leaves two; another takes the place of the oldest. */
const MAX_REGISTRATIONS = 40;

/** Stores a registration in place of an earlier one from the same network. */
export async function saveRegistration(db: Db, registration: Registration): Promise<void> {
  const { userId, password, attributes, createdAt } = registration;
  const newest = db
    .select({ network: poolRegistrations.network })
    .from(poolRegistrations)
    .where(eq(poolRegistrations.userId, userId))
    .orderBy(sql`${poolRegistrations.createdAt} desc`)
    .limit(MAX_REGISTRATIONS);
  await db.batch([
    db
      .insert(poolRegistrations)
      .values(registration)
      .onConflictDoUpdate({
        target: [poolRegistrations.userId, poolRegistrations.network],
        set: { password, attributes, createdAt },
      }),
    db
      .delete(poolRegistrations)
      .where(and(eq(poolRegistrations.userId, userId), notInArray(poolRegistrations.network, newest))),
  ]);
}

/**
 * Confirms an account by the first registration of these that there is. Without one the number is proved, but nobody knows whose the
 * password is: it has to be reset.
 */
export async function confirmRegistration(
  db: Db,
  { userId, networks }: Pick<Registration, "userId"> & { networks: readonly string[] },
): Promise<void> {
  const rows = await db
    .select()
    .from(poolRegistrations)
    .where(and(eq(poolRegistrations.userId, userId), inArray(poolRegistrations.network, [...networks])));
  const own = networks.flatMap((wanted) => rows.find(({ network }) => network === wanted) ?? [])[0];
  const confirmed = own
    ? { password: own.password, attributes: own.attributes, status: "CONFIRMED" as const }
    : { attributes: {}, status: "RESET_REQUIRED" as const };
  await db.batch([
    db
      .update(poolUsers)
      .set({ ...confirmed, phoneVerified: true })
      .where(and(eq(poolUsers.id, userId), eq(poolUsers.status, "UNCONFIRMED"))),
    db.delete(poolRegistrations).where(eq(poolRegistrations.userId, userId)),
  ]);
}

/** Deletes accounts that nobody confirmed since `before`, and what belongs to no account or code any more. */
export async function sweepUnconfirmed(db: Db, before: EpochMs): Promise<number> {
  const owner = (userId: typeof poolRegistrations.userId) =>
    db
      .select({ one: sql`1` })
      .from(poolUsers)
      .where(eq(poolUsers.id, userId));
  const code = db
    .select({ one: sql`1` })
    .from(poolCodes)
    .where(eq(poolCodes.hash, poolCodeTries.hash));
  const [swept] = await db.batch([
    db
      .delete(poolUsers)
      .where(and(eq(poolUsers.status, "UNCONFIRMED"), lt(poolUsers.createdAt, before)))
      .returning({ id: poolUsers.id }),
    db.delete(poolRegistrations).where(notExists(owner(poolRegistrations.userId))),
    db.delete(poolCodeTries).where(notExists(code)),
  ]);
  return swept.length;
}

/** The statements that delete what an account registered and tried. */
export function registrationRowsOf(db: Db, userId: DriverId) {
  return [
    db.delete(poolRegistrations).where(eq(poolRegistrations.userId, userId)),
    db.delete(poolCodeTries).where(eq(poolCodeTries.userId, userId)),
  ] as const;
}
