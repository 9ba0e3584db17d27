import { asc, desc, eq, sql } from "drizzle-orm";
import { DEFAULT_NOTIFICATION_PREFERENCES } from "../shapes/notifications.ts";
import type { DriverOwner, Profile } from "../shapes/profile.ts";
import type { DriverId } from "../shapes/units.ts";
import type { Db } from "../client.ts";
import { serviceCredits, users } from "../schema.ts";
import { filterQueries, parseFilterRows } from "./filters.ts";
import { serviceUntilOf } from "./service-time.ts";

export type UserRow = typeof users.$inferSelect;

/** A driver as D1 knows them: the record, what the object copies of it, and what follows from both. */
export type DriverRecord = { row: UserRow; profile: Profile; filtersComplete: boolean };

/** Reads a driver whole, in one round trip; null where there is none. */
export async function loadDriver(db: Db, driverId: DriverId): Promise<DriverRecord | null> {
  const [[row], credits, [filtersRow], rules] = await db.batch([
    db.select().from(users).where(eq(users.id, driverId)),
    db
      .select({ durationMs: serviceCredits.durationMs, at: serviceCredits.at })
      .from(serviceCredits)
      .where(eq(serviceCredits.driverId, driverId))
      // What was given and taken back in one instant was given first.
      .orderBy(asc(serviceCredits.at), desc(serviceCredits.durationMs)),
    ...filterQueries(db, driverId),
  ]);
  if (!row) return null;
  const { filters, version } = parseFilterRows(filtersRow, rules);
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
      serviceUntil: serviceUntilOf(credits),
      waitingForSpot: row.waitingForSpot,
    },
  };
}

/** What the driver's object must know of its owner. */
export function toDriverOwner({ row }: Pick<DriverRecord, "row">): DriverOwner {
  return {
    driverId: row.id,
    phoneNumber: row.preferredPhoneNumber ?? row.phoneNumber,
    language: row.language,
    timeZone: row.humanTimezone,
    notifications: row.notifications ?? DEFAULT_NOTIFICATION_PREFERENCES,
  };
}

/** How new D1's word on a driver is; null where there is none. */
export async function loadRevision(db: Db, driverId: DriverId): Promise<number | null> {
  const [row] = await db.select({ revision: users.revision }).from(users).where(eq(users.id, driverId));
  return row?.revision ?? null;
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
  return (await loadRevision(db, driver.id)) !== null;
}

type DriverFields = Partial<
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
export async function updateDriver(db: Db, driverId: DriverId, change: DriverFields): Promise<void> {
  await db
    .update(users)
    .set({ ...change, revision: sql`${users.revision} + 1` })
    .where(eq(users.id, driverId));
}
