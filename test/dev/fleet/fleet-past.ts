import { globSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { inArray, sql } from "drizzle-orm";
import { openDb, type Db } from "../../../db/client.ts";
import { insertRows } from "../../../db/insert-where.ts";
import { users } from "../../../db/schema/drivers.ts";
import { cityHours, fleetHours, fleetStateCounts } from "../../../db/schema/fleet.ts";
import { addTally, emptyTally, type Tally } from "../../../db/shapes/fleet.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { writeFleetMoney } from "./fleet-money.ts";
import { writeFleetRecords } from "./fleet-records.ts";
import { cityCountsOf, cityHours as hoursOfCities, stateCounts } from "./hour-counts.ts";
import { MADE_UP_DRIVERS } from "./made-up-drivers.ts";
import { readPastPayments, type PastPayments } from "./past-payments.ts";

/** The counts of a city stand in a row of their own, beside those of the objects that run. */
const FIRST_SHARD = 100;

/**
 * Writes the demonstration's fleet into the local database, before the server opens it.
 * @returns how many rows it has now, null where it was there; and its payments, for the sandbox's Stripe
 */
export async function writeLocalFleet(
  stateFolder: string,
  now: EpochMs,
): Promise<{ rows: number | null; past: PastPayments }> {
  const [file] = globSync(`${stateFolder}/v3/d1/*/*.sqlite`).filter(
    (path) => !path.endsWith("/metadata.sqlite"),
  );
  if (!file) throw new Error("there is no local database");
  const database = new DatabaseSync(file);
  try {
    // A crash here costs a start from scratch.
    database.exec("PRAGMA synchronous = OFF");
    const rows = await writeFleetPast(database, now);
    return { rows, past: readPastPayments(database) };
  } finally {
    database.close();
  }
}

/** The same, into any database with the product's tables. */
export async function writeFleetPast(database: DatabaseSync, now: EpochMs): Promise<number | null> {
  const db = openDb(bindD1(database) as unknown as Parameters<typeof openDb>[0]);
  const [known] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      inArray(
        users.id,
        MADE_UP_DRIVERS.map(({ id }) => id),
      ),
    )
    .limit(1);
  if (known) return null;
  const before = countRows(database);
  await writeFleetRecords(db, now);
  await writeHours(db, now);
  await writeFleetMoney(db, now);
  return countRows(database) - before;
}

async function writeHours(db: Db, now: EpochMs): Promise<void> {
  const hours = hoursOfCities(now);
  const sums = new Map<number, Tally>();
  for (const { hour, tally } of hours) {
    const sum = sums.get(hour) ?? emptyTally();
    addTally(sum, tally);
    sums.set(hour, sum);
  }
  const sumRows = [...sums].map(([hour, tally]) => ({ hour, shard: FIRST_SHARD, ...tally }));
  await insertRows(db, fleetHours, sumRows, sql`true`);
  const cityRows = hours.map((one) => ({ hour: one.hour, city: one.city, ...cityCountsOf(one) }));
  for (const rows of Map.groupBy(cityRows, ({ city }) => city).values())
    await insertRows(db, cityHours, rows, sql`true`);
  await insertRows(db, fleetStateCounts, stateCounts(hours, now), sql`true`);
}

function countRows(database: DatabaseSync): number {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return tables
    .map(({ name }) => database.prepare(`SELECT count(*) AS count FROM "${String(name)}"`).get()?.["count"])
    .reduce((sum: number, count) => sum + Number(count), 0);
}
