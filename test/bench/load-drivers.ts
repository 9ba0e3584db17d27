import { randomUUID } from "node:crypto";
import { loadDrivers, toDriverOwner, type DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { openDb } from "../../db/client.ts";
import type { Mode } from "../../db/shapes/work/filters.ts";
import { driverId, type DriverId } from "../../db/shapes/units.ts";
import type { BuiltApp } from "../support/runtime/built-app.ts";
import { platformWorld, postJson } from "../support/sandbox-client.ts";
import { prepareBenchDriver } from "./bench-driver.ts";

/** Calls of objects at once. */
const AT_ONCE = 16;
const FIRST_TRIES = 3;
/** How long a driver's calls may take: on a busy machine each takes seconds, and a repeated one makes it busier. */
const ANSWER_MS = 60_000;
/** Records that are read in one go. */
const PAGE_SIZE = 250;

/** `process`: which of several runtimes beside each other, from 0. */
export type LoadFleet = { sandboxUrl: string; drivers: number; mode: Mode; process: number };

/**
 * Makes drivers who are paid up, linked and on, until there are enough or the time is up. The first registers as a page
 * does. The others have copies of the rows that this leaves in D1, since the proof of a password takes a core a fifth
 * of a second, and are linked by their own objects. All are switched on at the end: one who polls already would hold up
 * the others.
 * @returns how many there are
 */
export async function makeLoadDrivers(app: BuiltApp, fleet: LoadFleet, untilMs: number): Promise<number> {
  const { sandboxUrl, drivers } = fleet;
  const first = await registerFirst(app, fleet);
  const ids = await copyDriver(app, first, drivers - 1);
  const db = openDb(app.database);
  // A call that came late may have been repeated.
  const linked = new Set<DriverId>();
  const pages = Array.from({ length: Math.ceil(ids.length / PAGE_SIZE) }, (_, page) =>
    ids.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
  );
  for (const page of pages) {
    const records = await loadDrivers(db, page);
    await atOnce([...records.values()], async (record) => {
      if (performance.now() < untilMs && (await link(app, sandboxUrl, record))) linked.add(record.row.id);
    });
  }
  const all = [first, ...linked];
  // Linking changes the record a moment later: none of that is newer.
  await app.sql(
    `UPDATE users SET switched_on = 1, revision = revision + 10 WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(all),
  );
  const on = new Set<DriverId>();
  for (let from = 0; from < all.length; from += PAGE_SIZE) {
    const records = await loadDrivers(db, all.slice(from, from + PAGE_SIZE));
    await atOnce([...records.values()], async (record) => {
      await app.objectOfDriver(record.row.id).configure(toDriverOwner(record), record.profile);
      on.add(record.row.id);
    });
  }
  return on.size;
}

/** Registers a driver by the calls that a page makes. A text that comes late on a busy machine costs a try. */
async function registerFirst(app: BuiltApp, { sandboxUrl, mode, process }: LoadFleet): Promise<DriverId> {
  const from = process * FIRST_TRIES;
  for (let index = from; ; index += 1) {
    try {
      const { phoneNumber } = await prepareBenchDriver(app, { sandboxUrl, index, mode });
      const [row] = await app.sql(`SELECT id FROM users WHERE phone_number = ?`, phoneNumber);
      return driverId.parse(row?.["id"]);
    } catch (error) {
      if (index + 1 === from + FIRST_TRIES) throw error;
    }
  }
}

/** Copies a driver's rows for so many others. @returns their ids */
async function copyDriver(app: BuiltApp, first: DriverId, copies: number): Promise<DriverId[]> {
  const others = Array.from({ length: copies }, (_, index) => ({
    id: driverId.parse(randomUUID()),
    phone: `+1555${String(3_000_000 + index)}`,
  }));
  const own: Record<string, Record<string, string>> = {
    users: { id: "id", phone_number: "phone" },
    filters: { driver_id: "id" },
    warehouse_filters: { driver_id: "id" },
    service_credits: { driver_id: "id", source: "id" },
  };
  for (const [table, changed] of Object.entries(own)) {
    const columns = (await app.sql(`SELECT name FROM pragma_table_info('${table}')`)).map(({ name }) =>
      String(name),
    );
    const key = table === "users" ? "id" : "driver_id";
    const values = columns.map((column) =>
      changed[column] === undefined ? `own."${column}"` : `json_extract(other.value, '$.${changed[column]}')`,
    );
    await app.sql(
      `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join()})
       SELECT ${values.join()} FROM (SELECT * FROM ${table} WHERE ${key} = ?) AS own, json_each(?) AS other`,
      first,
      JSON.stringify(others),
    );
  }
  return others.map(({ id }) => id);
}

/** Links a platform account, step by step, as a page lets the object do. @returns whether it is linked */
async function link(app: BuiltApp, sandboxUrl: string, record: DriverRecord): Promise<boolean> {
  const platform = { fetch, origin: sandboxUrl };
  const owner = toDriverOwner(record);
  const object = app.objectOfDriver(record.row.id);
  const email = `${record.row.id}@example.com`;
  await object.startLink(owner, { email, password: "right" });
  const { sessions } = await platformWorld(platform, email);
  const session = sessions.find((open) => open.state === "otp_required");
  if (!session) return false;
  await object.submitLinkCode(owner, session.code);
  await postJson(platform, `/sandbox/platform/sessions/${session.id}/approve`, {});
  const status = await object.linkStatus(owner);
  return status.ok && status.response.step === "linked";
}

/**
 * A connection may end while it waits, and a call may get no answer: each item is tried twice, and one that fails then
 * costs its driver alone.
 */
async function atOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const some = async () => {
    for (const item of left)
      await inTime(work(item))
        .catch(() => inTime(work(item)))
        .catch(() => undefined);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
}

async function inTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer")), ANSWER_MS);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
