import { and, desc, eq, or, sql } from "drizzle-orm";
import { areFiltersComplete } from "../../shapes/work/filter-completeness.ts";
import type { Language } from "../../shapes/language.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
  type NotificationChange,
  type ReminderChange,
} from "../../shapes/notifications.ts";
import type { DriverOwner, Profile } from "../../shapes/profile.ts";
import type { DriverId } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertFrom } from "../../insert-where.ts";
import { poolUsers } from "../../schema/identity.ts";
import { driverNameWords, users } from "../../schema/drivers.ts";
import { isAmong, patchedJson } from "../../expressions.ts";
import {
  filterQueries,
  filtersQueries,
  parseFilterRows,
  saveFiltersStatements,
  type FiltersSave,
} from "../work/filters.ts";
import { nameWords } from "../../shapes/name-words.ts";
import type { OneTimeProof } from "../identity/one-time-proofs.ts";
import { joinInviterStatements } from "../rewards/invitations.ts";
import {
  serviceLedgerQuery,
  serviceLedgersQuery,
  pausedUntilOf,
  serviceUntilOf,
} from "../payments/service-time.ts";

export type UserRow = typeof users.$inferSelect;

/**
 * A driver as stored in D1: the row, the profile that the object copies, and what is derived from them: filters can take
 * nothing of a warehouse that the platform, as far as the object last noted, lists no more.
 */
export type DriverRecord = { row: UserRow; profile: Profile; filtersComplete: boolean };

/** Loads a driver with filters and service time in one round trip; null if there is none. */
export async function loadDriver(db: Db, driverId: DriverId): Promise<DriverRecord | null> {
  return readDriver(await runDriverQueries(db, driverId));
}

function runDriverQueries(db: Db, driverId: DriverId) {
  return db.batch(driverQueries(db, driverId));
}

/** The queries of `loadDriver`, for the batch of a change after which it is read. */
export function driverQueries(db: Db, driverId: DriverId) {
  return [
    db.select().from(users).where(eq(users.id, driverId)),
    db
      .select({ id: poolUsers.id })
      .from(poolUsers)
      .where(and(eq(poolUsers.id, driverId), eq(poolUsers.enabled, false))),
    serviceLedgerQuery(db, driverId),
    ...filterQueries(db, driverId),
  ] as const;
}

/** Loads drivers with filters and service time in one round trip, however many they are. */
export async function loadDrivers(
  db: Db,
  ids: readonly DriverId[],
): Promise<ReadonlyMap<DriverId, DriverRecord>> {
  const [rows, disabled, credits, filters, warehouses] = await db.batch([
    db.select().from(users).where(isAmong(users.id, ids)),
    db
      .select({ id: poolUsers.id })
      .from(poolUsers)
      .where(and(isAmong(poolUsers.id, ids), eq(poolUsers.enabled, false))),
    serviceLedgersQuery(db, ids),
    ...filtersQueries(db, ids),
  ]);
  const isOf = ({ driverId }: { driverId: DriverId }) => driverId;
  const ledgers = Map.groupBy(credits, isOf);
  const filtersOf = Map.groupBy(filters, isOf);
  const warehousesOf = Map.groupBy(warehouses, isOf);
  const drivers = rows.flatMap((row) => {
    const { id } = row;
    const off = disabled.filter((one) => one.id === id);
    const own = [ledgers.get(id) ?? [], filtersOf.get(id) ?? [], warehousesOf.get(id) ?? []] as const;
    return readDriver([[row], off, ...own]) ?? [];
  });
  return new Map(drivers.map((driver) => [driver.row.id, driver]));
}

type DriverRows = Awaited<ReturnType<typeof runDriverQueries>>;

/** The driver that the rows of `driverQueries` are of; null if there is none. */
export function readDriver([
  [row],
  [disabled],
  credits,
  [filtersRow],
  warehouseRows,
]: Readonly<DriverRows>): DriverRecord | null {
  if (!row) return null;
  const { filters, version, unlisted } = parseFilterRows(filtersRow, warehouseRows);
  const ids = filters.warehouses.map(({ warehouseId }) => warehouseId);
  return {
    row,
    filtersComplete: areFiltersComplete(filters, new Set(ids.filter((id) => !unlisted.has(id)))),
    profile: {
      revision: row.revision,
      // Skips disabled drivers. Their switch stays as it is, for when they are enabled again.
      switchedOn: row.switchedOn && disabled === undefined,
      mode: row.mode,
      specialMode: row.specialMode,
      filters,
      filtersVersion: version,
      serviceUntil: serviceUntilOf(credits),
      pausedUntil: pausedUntilOf(credits),
      waitingForSpot: row.waitingForSpot,
    },
  };
}

/** The owner's data that the driver's object stores. */
export function toDriverOwner({ row }: Pick<DriverRecord, "row">): DriverOwner {
  return {
    driverId: row.id,
    phoneNumber: textNumberOf(row),
    language: row.language,
    timeZone: row.humanTimezone,
    notifications: row.notifications ?? DEFAULT_NOTIFICATION_PREFERENCES,
    reminders: row.reminders ?? DEFAULT_REMINDER_PREFERENCES,
  };
}

/** Where texts go: the preferred number once a code proved it, until then the account's. */
function textNumberOf({ phoneNumber, preferredPhoneNumber, preferredPhoneVerified }: UserRow): string {
  return preferredPhoneVerified && preferredPhoneNumber !== null ? preferredPhoneNumber : phoneNumber;
}

/** The language that a driver chose; null if there is no record. */
export async function findDriverLanguage(db: Db, driverId: DriverId): Promise<Language | null> {
  const [row] = await db.select({ language: users.language }).from(users).where(eq(users.id, driverId));
  return row?.language ?? null;
}

/** The language of the driver whose texts go to a number; null if it is nobody's. */
export async function findLanguageOfNumber(db: Db, phoneNumber: string): Promise<Language | null> {
  const isPreferred = and(
    eq(users.preferredPhoneNumber, phoneNumber),
    eq(users.preferredPhoneVerified, true),
  );
  const [row] = await db
    .select({ language: users.language })
    .from(users)
    .where(or(eq(users.phoneNumber, phoneNumber), isPreferred))
    // The driver whose account has the number comes before one whose texts go there.
    .orderBy(desc(eq(users.phoneNumber, phoneNumber)))
    .limit(1);
  return row?.language ?? null;
}

/** The revision of a driver's record in D1; null if there is none. */
export async function loadRevision(db: Db, driverId: DriverId): Promise<number | null> {
  const [row] = await db.select({ revision: users.revision }).from(users).where(eq(users.id, driverId));
  return row?.revision ?? null;
}

/** Whether service is paid for, or begins with the first switch-on, and the driver has a spot. */
export function isInGoodStanding(
  { row, profile }: Pick<DriverRecord, "row" | "profile">,
  now: number,
): boolean {
  if (profile.waitingForSpot) return false;
  return row.trialPending || (profile.serviceUntil !== null && profile.serviceUntil > now);
}

/**
 * Creates a driver's record, connected to who invited them; an existing one stays as it is.
 * @param invitationId a new id, for a friend who came by a link
 * @returns the driver's record; null if another driver has the phone number
 */
export async function createDriver(
  db: Db,
  driver: Pick<
    UserRow,
    "id" | "phoneNumber" | "name" | "language" | "referral" | "humanTimezone" | "createdAt"
  >,
  invitationId: string,
): Promise<DriverRecord | null> {
  const rest = {
    mode: "lucrative",
    switchedOn: false,
    waitingForSpot: false,
    proxyInstalled: false,
    revision: 1,
  } as const;
  const insert = db
    .insert(users)
    .values({ ...driver, ...rest })
    .onConflictDoNothing();
  const [, , , , , , , ...rows] = await db.batch([
    insert,
    ...nameWordStatements(db, driver.id, driver.name),
    ...joinInviterStatements(db, { driverId: driver.id, newId: invitationId, now: driver.createdAt }),
    ...driverQueries(db, driver.id),
  ]);
  return readDriver(rows);
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
  >
> & { notifications?: NotificationChange; reminders?: ReminderChange };

/**
 * Updates fields of a driver and increments the revision, so that the object accepts the new copy. Another preferred
 * number has to be proved anew. Notifications and reminders that are left out keep what is stored.
 */
export async function updateDriver(db: Db, driverId: DriverId, change: DriverFields): Promise<void> {
  await db.batch(updateStatements(db, driverId, change));
}

/** `updateDriver`, and the record after it in the same trip; null if there is none. */
export async function changeDriver(
  db: Db,
  driverId: DriverId,
  change: DriverFields,
): Promise<DriverRecord | null> {
  const [first, ...rest] = updateStatements(db, driverId, change);
  const queries = driverQueries(db, driverId);
  if (rest.length === 0) {
    const [, ...rows] = await db.batch([first, ...queries]);
    return readDriver(rows);
  }
  const [, , , ...rows] = await db.batch([first, rest[0], rest[1], ...queries]);
  return readDriver(rows);
}

/** Saves a driver's filters, and reads the record after it in the same trip; null if their version is stale. */
export async function changeFilters(
  db: Db,
  driverId: DriverId,
  save: FiltersSave,
): Promise<DriverRecord | null> {
  const [claimed, , , , ...rows] = await db.batch([
    ...saveFiltersStatements(db, driverId, save),
    ...driverQueries(db, driverId),
  ]);
  return claimed.length === 1 ? readDriver(rows) : null;
}

function updateStatements(db: Db, driverId: DriverId, { notifications, reminders, ...change }: DriverFields) {
  const { preferredPhoneNumber: preferred } = change;
  const isSameNumber = sql`${users.preferredPhoneVerified} and ${users.preferredPhoneNumber} is ${preferred ?? null}`;
  const update = db
    .update(users)
    .set({
      ...change,
      ...(notifications && {
        notifications: patchedJson(users.notifications, {
          defaults: DEFAULT_NOTIFICATION_PREFERENCES,
          patch: notifications,
        }),
      }),
      ...(reminders && {
        reminders: patchedJson(users.reminders, {
          defaults: DEFAULT_REMINDER_PREFERENCES,
          patch: reminders,
        }),
      }),
      ...(preferred === undefined ? {} : { preferredPhoneVerified: isSameNumber }),
      revision: sql`${users.revision} + 1`,
    })
    .where(eq(users.id, driverId));
  if (change.name === undefined) return [update] as const;
  return [update, ...nameWordStatements(db, driverId, change.name)] as const;
}

/** The words that a name is found by; nothing where the record has another name or doesn't exist. */
function nameWordStatements(db: Db, driverId: DriverId, name: string) {
  const hasName = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId} AND ${users.name} = ${name})`;
  return [
    db.delete(driverNameWords).where(and(eq(driverNameWords.driverId, driverId), hasName)),
    insertFrom(
      db,
      driverNameWords,
      { word: sql`value`, driverId },
      sql`FROM json_each(${JSON.stringify(nameWords(name))}) WHERE ${hasName}`,
    ).onConflictDoNothing(),
  ] as const;
}

/**
 * Marks the preferred number as proved, and uses the proof up.
 * @returns the record then; null if it is another number by now, or the proof was used before
 */
export async function markPreferredPhoneVerified(
  db: Db,
  driverId: DriverId,
  { number, proof }: { number: string; proof: OneTimeProof },
): Promise<DriverRecord | null> {
  const [updated, , ...rows] = await db.batch([
    db
      .update(users)
      .set({ preferredPhoneVerified: true, revision: sql`${users.revision} + 1` })
      .where(and(eq(users.id, driverId), eq(users.preferredPhoneNumber, number), proof.isUnused))
      .returning({ id: users.id }),
    proof.use,
    ...driverQueries(db, driverId),
  ]);
  return updated.length === 1 ? readDriver(rows) : null;
}

/** The e-mail address of a driver's account of the platform; null if there is none. */
export async function findPlatformEmail(db: Db, id: DriverId): Promise<string | null> {
  const [row] = await db.select({ email: users.flexEmail }).from(users).where(eq(users.id, id));
  return row?.email ?? null;
}
