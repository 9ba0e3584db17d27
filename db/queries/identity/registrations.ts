import { and, eq, lt, not, notExists, notInArray, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { poolCodes, poolCodeTries, poolRegistrations, poolUsers } from "../../schema/identity.ts";
import { hasCode } from "./codes.ts";
import { wasUsed, type OneTimeProof } from "./one-time-proofs.ts";

/** The number that one network registered, with its other data. */
export type Registration = typeof poolRegistrations.$inferSelect;

/** The most registrations of a number, of which a page leaves two; another takes the place of the oldest. */
const MAX_REGISTRATIONS = 40;

/**
 * The statements that store a registration in place of an earlier one from the same network.
 * @param condition without which nothing is stored
 */
export function registrationStatements(db: Db, registration: Registration, condition: SQL) {
  const { userId, password, attributes, createdAt } = registration;
  const newest = db
    .select({ network: poolRegistrations.network })
    .from(poolRegistrations)
    .where(eq(poolRegistrations.userId, userId))
    .orderBy(sql`${poolRegistrations.createdAt} desc`)
    .limit(MAX_REGISTRATIONS);
  return [
    insertWhere(db, poolRegistrations, registration, condition).onConflictDoUpdate({
      target: [poolRegistrations.userId, poolRegistrations.network],
      set: { password, attributes, createdAt },
    }),
    db
      .delete(poolRegistrations)
      .where(and(eq(poolRegistrations.userId, userId), notInArray(poolRegistrations.network, newest))),
  ] as const;
}

/**
 * Confirms an account by a registration. Without one the number is proved, but nobody knows whose the password is: it has
 * to be reset.
 * @param proof the code, used up by it
 * @returns false if the code was used before
 */
export async function confirmRegistration(
  db: Db,
  {
    userId,
    registration,
    proof,
  }: { userId: DriverId; registration: Registration | null; proof: OneTimeProof },
): Promise<boolean> {
  const confirmed = registration
    ? {
        password: registration.password,
        attributes: registration.attributes,
        status: "CONFIRMED" as const,
      }
    : { attributes: {}, status: "RESET_REQUIRED" as const };
  const [, , used] = await db.batch([
    db
      .update(poolUsers)
      .set({ ...confirmed, phoneVerified: true })
      .where(and(eq(poolUsers.id, userId), eq(poolUsers.status, "UNCONFIRMED"), proof.isUnused)),
    db.delete(poolRegistrations).where(and(eq(poolRegistrations.userId, userId), proof.isUnused)),
    proof.use,
  ]);
  return wasUsed(used);
}

/**
 * Deletes an account that nobody has confirmed, nor has a code for: somebody else may have registered its number in the
 * meantime, and a text whose fate is unknown may arrive. The hourly sweep removes its rows.
 */
export async function deleteUnusedAccount(db: Db, userId: DriverId, now: EpochMs): Promise<void> {
  await db
    .delete(poolUsers)
    .where(
      and(
        eq(poolUsers.id, userId),
        eq(poolUsers.status, "UNCONFIRMED"),
        not(hasCode(db, { userId, purpose: "sign_up" }, now)),
      ),
    );
}

/**
 * Deletes accounts that nobody confirmed since `before`, and what belongs to no account or code any more. An account
 * stays while a code for it can be entered, as after a second registration of its number.
 */
export async function sweepUnconfirmed(
  db: Db,
  { before, now }: { before: EpochMs; now: EpochMs },
): Promise<number> {
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
      .where(
        and(
          eq(poolUsers.status, "UNCONFIRMED"),
          lt(poolUsers.createdAt, before),
          not(hasCode(db, { userId: sql`${poolUsers.id}`, purpose: "sign_up" }, now)),
        ),
      )
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
