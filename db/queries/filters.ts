import { and, asc, eq, sql } from "drizzle-orm";
import * as z from "zod/mini";
import {
  DEFAULT_DAY,
  filters as filtersShape,
  type Filters,
  type WarehouseRule,
} from "../../durable/engine/rules.ts";
import type { DriverId } from "../../durable/engine/units.ts";
import type { Db } from "../client.ts";
import { filters, users, warehouseFilters } from "../schema.ts";

type FiltersRow = typeof filters.$inferSelect;
type RuleRow = typeof warehouseFilters.$inferSelect;

/** What a driver who never saved any has: the default week, no minimum, no warehouse. */
export const DEFAULT_FILTERS: Filters = {
  minHourlyCents: null,
  schedule: [DEFAULT_DAY, DEFAULT_DAY, DEFAULT_DAY, DEFAULT_DAY, DEFAULT_DAY, DEFAULT_DAY, DEFAULT_DAY],
  warehouses: [],
};

/** The queries that read a driver's filters; give their rows to `toFilters`. */
export function selectFilters(db: Db, driverId: DriverId) {
  return [
    db.select().from(filters).where(eq(filters.driverId, driverId)),
    db
      .select()
      .from(warehouseFilters)
      .where(eq(warehouseFilters.driverId, driverId))
      .orderBy(asc(warehouseFilters.warehouseId)),
  ] as const;
}

export function toFilters(
  row: FiltersRow | undefined,
  rules: readonly RuleRow[],
): { filters: Filters; version: number } {
  if (!row) return { filters: DEFAULT_FILTERS, version: 0 };
  const warehouses = rules.map((rule) => ({
    ...rule,
    durations: [...rule.durations].map((letter) => letter === "1"),
  }));
  return {
    filters: z.parse(filtersShape, {
      minHourlyCents: row.minHourlyCents,
      schedule: row.schedule,
      warehouses,
    }),
    version: row.version,
  };
}

/**
 * Replaces a driver's filters, if nobody did since `version`; raises the driver's revision.
 * @param saveId unique to this save
 * @returns the new version, or null where `version` is stale and nothing was written
 */
export async function saveFilters(
  db: Db,
  driverId: DriverId,
  { filters: next, version, saveId }: { filters: Filters; version: number; saveId: string },
): Promise<number | null> {
  const saved = {
    version: version + 1,
    saveId,
    minHourlyCents: next.minHourlyCents,
    schedule: next.schedule,
  };
  // D1 has no interactive transaction: what follows the first statement acts only where that one did.
  const mine = sql`EXISTS (SELECT 1 FROM ${filters} WHERE ${filters.driverId} = ${driverId} AND ${filters.saveId} = ${saveId})`;
  const rules = JSON.stringify(next.warehouses.map((rule) => ({ ...rule, durations: toLetters(rule) })));
  const claim = db
    .insert(filters)
    .values({ driverId, ...saved })
    .onConflictDoUpdate({ target: filters.driverId, set: saved, setWhere: eq(filters.version, version) })
    .returning({ version: filters.version });
  const [claimed] = await db.batch([
    claim,
    db.delete(warehouseFilters).where(and(eq(warehouseFilters.driverId, driverId), mine)),
    // One JSON parameter: a statement takes 100 at most, and a driver may have 500 warehouses.
    db.insert(warehouseFilters)
      .select(sql`SELECT ${driverId}, value ->> 'warehouseId', value ->> 'selected', value ->> 'minPriceCents',
        value ->> 'bufferMinutes', value ->> 'minHourlyCents', value ->> 'durations', value ->> 'onlyHourly'
      FROM json_each(${rules}) WHERE ${mine}`),
    db
      .update(users)
      .set({ revision: sql`${users.revision} + 1` })
      .where(and(eq(users.id, driverId), mine)),
  ]);
  return claimed.length === 1 ? saved.version : null;
}

function toLetters(rule: WarehouseRule): string {
  return rule.durations.map((wanted) => (wanted ? "1" : "0")).join("");
}
