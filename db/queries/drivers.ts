import { asc, desc, eq, sql } from "drizzle-orm";
import type { Profile } from "../../durable/engine/types.ts";
import type { DriverId } from "../../durable/engine/units.ts";
import type { User } from "../../worker/contract/user.ts";
import type { Db } from "../client.ts";
import { serviceCredits, users } from "../schema.ts";
import { selectFilters, toFilters } from "./filters.ts";
import { serviceUntil } from "./service.ts";

export type UserRow = typeof users.$inferSelect;

/** A driver as D1 knows them: the record, what the object copies of it, and what follows from both. */
export type DriverRecord = { row: UserRow; profile: Profile; filtersComplete: boolean };

/** Reads a driver whole, in one round trip; null where there is none. */
export async function readDriver(db: Db, driverId: DriverId): Promise<DriverRecord | null> {
  const [[row], credits, [filtersRow], rules] = await db.batch([
    db.select().from(users).where(eq(users.id, driverId)),
    db
      .select({ durationMs: serviceCredits.durationMs, at: serviceCredits.at })
      .from(serviceCredits)
      .where(eq(serviceCredits.driverId, driverId))
      // What was given and taken back in one instant was given first.
      .orderBy(asc(serviceCredits.at), desc(serviceCredits.durationMs)),
    ...selectFilters(db, driverId),
  ]);
  if (!row) return null;
  const { filters, version } = toFilters(filtersRow, rules);
  return {
    row,
    filtersComplete: filters.warehouses.some((rule) => rule.selected),
    profile: {
      revision: row.revision,
      switchedOn: row.switchedOn,
      mode: row.mode,
      specialMode: row.specialMode,
      filters,
      filtersVersion: version,
      serviceUntil: serviceUntil(credits),
      waitingForSpot: row.waitingForSpot,
    },
  };
}

/** How new D1's word on a driver is; null where there is none. */
export async function readRevision(db: Db, driverId: DriverId): Promise<number | null> {
  const [row] = await db.select({ revision: users.revision }).from(users).where(eq(users.id, driverId));
  return row?.revision ?? null;
}

/** The record as the API answers it. */
export function toUser({ row, profile, filtersComplete }: DriverRecord, now: number): User {
  return {
    name: row.name,
    phoneNumber: row.phoneNumber,
    preferredPhoneNumber: row.preferredPhoneNumber,
    language: row.language,
    mode: row.mode,
    specialMode: row.specialMode,
    userDisabled: row.switchedOn ? 0 : 1,
    referral: row.referral,
    humanTimezone: row.humanTimezone,
    humanRegion: row.humanRegion,
    flexEmail: row.flexEmail,
    proxyInstalled: row.proxyInstalled,
    setupComplete: row.proxyInstalled && filtersComplete,
    goodStanding: isInGoodStanding(profile, now),
    expirationDateTimestamp: profile.serviceUntil ?? 0,
  };
}

/** Service is paid for and a spot is held. */
export function isInGoodStanding(profile: Profile, now: number): boolean {
  return !profile.waitingForSpot && profile.serviceUntil !== null && profile.serviceUntil > now;
}

/**
 * Makes a driver's record; one that is there already stays as it is.
 * @returns false where the phone number is another driver's
 */
export async function createDriver(
  db: Db,
  driver: Pick<
    UserRow,
    "id" | "phoneNumber" | "name" | "language" | "referral" | "humanTimezone" | "createdAt"
  >,
): Promise<boolean> {
  const rest = {
    mode: "lucrative",
    switchedOn: false,
    waitingForSpot: false,
    proxyInstalled: false,
    revision: 1,
  } as const;
  await db
    .insert(users)
    .values({ ...driver, ...rest })
    .onConflictDoNothing();
  return (await readRevision(db, driver.id)) !== null;
}

type Change = Partial<
  Pick<
    UserRow,
    | "switchedOn"
    | "mode"
    | "specialMode"
    | "language"
    | "name"
    | "preferredPhoneNumber"
    | "proxyInstalled"
    | "flexEmail"
    | "humanRegion"
    | "humanTimezone"
    | "notifications"
  >
>;

/** Changes fields of a driver and raises the revision, so that the object takes the copy. */
export async function changeDriver(db: Db, driverId: DriverId, change: Change): Promise<void> {
  await db
    .update(users)
    .set({ ...change, revision: sql`${users.revision} + 1` })
    .where(eq(users.id, driverId));
}
