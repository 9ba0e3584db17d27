import { and, asc, eq, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { decodeDurations, encodeDurations } from "../../shapes/work/durations.ts";
import {
  DEFAULT_DAY_SCHEDULE,
  filters as filtersShape,
  MAX_THRESHOLD_CENTS,
  NO_LIMITS,
  warehouseFilter,
  type Filters,
  type WarehouseFilter,
} from "../../shapes/work/filters.ts";
import type { DriverId, WarehouseId } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong } from "../../expressions.ts";
import { insertRows, insertWhere } from "../../insert-where.ts";
import { hasRecord } from "../accounts/has-record.ts";
import { driverFilters, users, warehouseFilters } from "../../schema/drivers.ts";

type FiltersRow = typeof driverFilters.$inferSelect;
type WarehouseFilterRow = typeof warehouseFilters.$inferSelect;

/** The filters of a driver who never saved any: the default schedule, no minimum, no warehouse. */
export const DEFAULT_FILTERS: Filters = {
  minHourlyCents: null,
  schedule: [
    DEFAULT_DAY_SCHEDULE,
    DEFAULT_DAY_SCHEDULE,
    DEFAULT_DAY_SCHEDULE,
    DEFAULT_DAY_SCHEDULE,
    DEFAULT_DAY_SCHEDULE,
    DEFAULT_DAY_SCHEDULE,
    DEFAULT_DAY_SCHEDULE,
  ],
  warehouses: [],
  limits: NO_LIMITS,
  dates: [],
};

/** The queries that read a driver's filters. Pass their rows to `parseFilterRows`. */
export function filterQueries(db: Db, driverId: DriverId) {
  return [
    db.select().from(driverFilters).where(eq(driverFilters.driverId, driverId)),
    db
      .select()
      .from(warehouseFilters)
      .where(eq(warehouseFilters.driverId, driverId))
      .orderBy(asc(warehouseFilters.warehouseId)),
  ] as const;
}

/** The same of several drivers. */
export function filtersQueries(db: Db, driverIds: readonly DriverId[]) {
  return [
    db.select().from(driverFilters).where(isAmong(driverFilters.driverId, driverIds)),
    db
      .select()
      .from(warehouseFilters)
      .where(isAmong(warehouseFilters.driverId, driverIds))
      .orderBy(asc(warehouseFilters.warehouseId)),
  ] as const;
}

/** Parses stored filters. Malformed values make them stricter, never looser, and the page shows that to the driver. */
export function parseFilterRows(
  row: FiltersRow | undefined,
  warehouseRows: readonly WarehouseFilterRow[],
): { filters: Filters; version: number; unlisted: ReadonlySet<string> } {
  if (!row) return { filters: DEFAULT_FILTERS, version: 0, unlisted: new Set() };
  const minHourly = z.safeParse(filtersShape.shape.minHourlyCents, row.minHourlyCents);
  return {
    filters: {
      minHourlyCents: minHourly.success ? minHourly.data : MAX_THRESHOLD_CENTS,
      schedule: row.schedule,
      warehouses: warehouseRows.flatMap(parseWarehouseFilter),
      limits: row.limits ?? NO_LIMITS,
      dates: row.dates ?? [],
    },
    version: row.version,
    unlisted: new Set(warehouseRows.filter((rule) => rule.unlisted).map((rule) => rule.warehouseId)),
  };
}

type RuleInput = z.input<typeof warehouseFilter>;

/** A rule as its row has it: a field with a default may be null there, any other may not. */
type StoredRule = {
  [Field in keyof RuleInput]-?: undefined extends RuleInput[Field]
    ? Exclude<RuleInput[Field], undefined> | null
    : RuleInput[Field];
};

/** One warehouse's filter; none if it is malformed, so that the warehouse is not selected. */
function parseWarehouseFilter({ durations: letters, ...row }: WarehouseFilterRow): WarehouseFilter[] {
  const durations = decodeDurations(letters);
  if (!durations) return [];
  const stored: StoredRule = { ...row, durations };
  const known = Object.entries(stored).filter(([, value]) => value !== null);
  const found = z.safeParse(warehouseFilter, Object.fromEntries(known));
  return found.success ? [found.data] : [];
}

/** `saveId`: unique to this save. `listed`: the warehouses that the platform lists; null if that is not known. */
export type FiltersSave = {
  filters: Filters;
  version: number;
  saveId: string;
  listed: readonly WarehouseId[] | null;
};

/**
 * The statements that replace a driver's filters if they are still at `version`, and increment the driver's revision. For a
 * batch that reads the driver after them. The first returns a row if they were saved.
 */
export function saveFiltersStatements(
  db: Db,
  driverId: DriverId,
  { filters: next, version, saveId, listed }: FiltersSave,
) {
  const saved = {
    version: version + 1,
    saveId,
    minHourlyCents: next.minHourlyCents,
    schedule: next.schedule,
    limits: next.limits,
    dates: next.dates,
  };
  // D1 has no interactive transactions: each later statement applies only if the first one did.
  const isOwnSave = sql`EXISTS (SELECT 1 FROM ${driverFilters} WHERE ${driverFilters.driverId} = ${driverId} AND ${driverFilters.saveId} = ${saveId})`;
  const known = listed && new Set(listed);
  const rules = next.warehouses.map((filter) => ({
    ...filter,
    driverId,
    durations: encodeDurations(filter.durations),
    unlisted: known?.has(filter.warehouseId) === false,
  }));
  const claim = insertWhere(db, driverFilters, { driverId, ...saved }, hasRecord(driverId))
    .onConflictDoUpdate({
      target: driverFilters.driverId,
      set: saved,
      setWhere: eq(driverFilters.version, version),
    })
    .returning({ version: driverFilters.version });
  return [
    claim,
    db.delete(warehouseFilters).where(and(eq(warehouseFilters.driverId, driverId), isOwnSave)),
    // A driver may have 500 warehouses.
    insertRows(db, warehouseFilters, rules, isOwnSave),
    db
      .update(users)
      .set({ revision: sql`${users.revision} + 1` })
      .where(and(eq(users.id, driverId), isOwnSave)),
  ] as const;
}

/** Notes which warehouses of a driver's filters the platform lists. Writes nothing that is known already. */
export async function markListedWarehouses(
  db: Db,
  driverId: DriverId,
  listed: readonly WarehouseId[],
): Promise<void> {
  const unlisted = sql`${warehouseFilters.warehouseId} NOT IN (SELECT value FROM json_each(${JSON.stringify(listed)}))`;
  await db
    .update(warehouseFilters)
    .set({ unlisted: sql`(${unlisted})` })
    .where(and(eq(warehouseFilters.driverId, driverId), sql`${warehouseFilters.unlisted} <> (${unlisted})`));
}
