import { beforeAll, expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { listActs } from "../../db/queries/operator-acts.ts";
import { listDriversInState, listStaleDrivers, loadFleetFigures } from "../../db/queries/fleet-figures.ts";
import { loadDriverForOperator, loadPaymentForRefund } from "../../db/queries/operator-driver.ts";
import { listCityLines, listSales } from "../../db/queries/operator-deployment.ts";
import { listDueOrders } from "../../db/queries/operator-orders.ts";
import { findByEmail, findByEnd, findByName, findByNumber } from "../../db/queries/operator-search.ts";
import { listLiveSessions } from "../../db/queries/identity-sessions.ts";
import { loadPointsLedger } from "../../db/queries/rewards.ts";
import { driverId } from "../../db/shapes/units.ts";
import { migratedDatabase } from "../support/migrated-database.ts";
import { bindD1 } from "../support/node-d1.ts";

const DRIVERS = 10_000;
const someone = driverId.parse("driver-4711");
const now = 1_800_000_000_000;

const database = migratedDatabase();
const ran: { query: string; params: readonly unknown[] }[] = [];
const bound = bindD1(database);
/** Notes each statement that runs, so that its plan can be asked for. */
const binding = {
  ...bound,
  prepare: (query: string) => {
    const statement = bound.prepare(query);
    return {
      ...statement,
      bind: (...params: Parameters<typeof statement.bind>) => {
        ran.push({ query, params });
        return statement.bind(...params);
      },
    };
  },
};
const db = openDb(binding);

beforeAll(() => {
  database.exec("BEGIN");
  const insert = database.prepare(
    `INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, flex_email, proxy_installed, revision, created_at)
      VALUES (?, ?, ?, 'en', 'lucrative', ?, 0, 'jornada', 'America/New_York', ?, 1, 1, ?)`,
  );
  const payment = database.prepare(
    `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
      VALUES (?, ?, ?, '7days', 'settled', 'USD', 4987, 0, 0, 0, 35, 5022, 0, ?, ?, 1)`,
  );
  const credit = database.prepare(
    `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, 604800000, ?)`,
  );
  const act = database.prepare(
    `INSERT INTO operator_acts (id, attempt, operator, role, act, driver_id, what, reason, before, after, worth_cents, at)
      VALUES (?, 'a', 'owner@example.com', 'owner', 'days', ?, '{}', 'made up', '{}', '{}', 0, ?)`,
  );
  const spot = database.prepare(
    `INSERT INTO spots (driver_id, city, status, since, check_at) VALUES (?, ?, ?, ?, 0)`,
  );
  const state = database.prepare(
    `INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, ?, ?, ?)`,
  );
  const heartbeat = database.prepare(
    `INSERT INTO heartbeats (driver_id, object_name, due_at) VALUES (?, 'o', ?)`,
  );
  const hour = database.prepare(
    `INSERT INTO fleet_hours (hour, shard, captures, late_50) VALUES (?, ?, 1, 5)`,
  );
  for (let index = 0; index < 168 * 16; index += 1)
    hour.run(Math.floor(now / 3_600_000) - Math.floor(index / 16), index % 16);
  for (let index = 0; index < DRIVERS; index += 1) {
    const id = `driver-${index}`;
    const at = now - index * 60_000;
    insert.run(
      id,
      `+1555${String(index).padStart(7, "0")}`,
      `Driver ${index}`,
      index % 2,
      `d${index}@example.com`,
      at,
    );
    payment.run(`p-${index}`, id, `pi_${index}`, at, at);
    credit.run(`payment:p-${index}`, id, at);
    spot.run(id, `City ${index % 20}`, index % 3 === 0 ? "waiting" : "held", at);
    act.run(`act-${index}`, id, at);
    state.run(id, ["polling", "asleep", "signed_out", "off"][index % 4] ?? "off", at, at);
    heartbeat.run(id, now + (index % 100 === 0 ? -1 : 1) * 600_000);
  }
  database.exec("COMMIT");
  database.exec("ANALYZE");
});

/** The plans of the statements that a screen runs; a table that is read from end to end is named. */
async function scansOf(screen: () => Promise<unknown>): Promise<{ statements: number; scans: string[] }> {
  ran.length = 0;
  await screen();
  const scans = ran.flatMap(({ query, params }) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${query}`)
      .all(...params.map((value) => (typeof value === "boolean" ? Number(value) : value) as string))
      .map((row) => String(row["detail"]))
      // A scan by an index stops at the page's end; one of rows that stand in the statement, or of the cities that were
      // found, reads no table.
      .filter(
        (detail) =>
          /^SCAN (?!CONSTANT|lined$|all_cities$)/.test(detail) && !/USING (COVERING )?INDEX/.test(detail),
      ),
  );
  return { statements: ran.length, scans };
}

it.each<[string, number, () => Promise<unknown>]>([
  ["a driver by number", 1, () => findByNumber(db, "+15550004711", 20)],
  ["drivers by the end of a number", 1, () => findByEnd(db, "4711", 20)],
  ["drivers by name", 1, () => findByName(db, "driver 47", 20)],
  ["drivers by e-mail", 1, () => findByEmail(db, "d4711@", 20)],
  ["a driver's page", 5, () => loadDriverForOperator(db, someone, now)],
  ["a driver's points", 3, () => loadPointsLedger(db, someone)],
  ["a driver's sessions", 1, () => listLiveSessions(db, someone, now)],
  ["a payment to give back", 1, () => loadPaymentForRefund(db, { driverId: someone, id: "p-4711" })],
  ["the log", 1, () => listActs(db, { driverId: null, before: null, limit: 50 })],
  [
    "the log, further down",
    1,
    () => listActs(db, { driverId: null, before: { at: now, id: "act-0" }, limit: 50 }),
  ],
  ["the log of a driver", 1, () => listActs(db, { driverId: someone, before: null, limit: 50 })],
  ["sales", 1, () => listSales(db, now)],
  [
    "the fleet",
    6,
    () => loadFleetFigures(db, { now, from: now - 7 * 86_400_000, staleAt: now, recently: now, alerts: 20 }),
  ],
  ["the drivers in a state", 1, () => listDriversInState(db, ["signed_out", "asleep"], 51)],
  ["the drivers whose objects are overdue", 1, () => listStaleDrivers(db, now, 51)],
  ["cities", 1, async () => listCityLines(db)],
  ["orders that are due", 1, () => listDueOrders(db, now, 20)],
])(
  "among ten thousand drivers, %s takes %i statements, each by an index",
  async (_screen, statements, run) => {
    expect(await scansOf(run)).toEqual({ statements, scans: [] });
  },
);

it("finds the one driver among ten thousand by the last four digits", async () => {
  expect(await findByEnd(db, "4711", 20)).toMatchObject([{ id: someone }]);
});

it("lists each city once, with its line", async () => {
  const lines = await listCityLines(db);
  expect(lines).toHaveLength(20);
  expect(lines.reduce((total, { taken, waiting }) => total + taken + waiting, 0)).toBe(DRIVERS);
});

it("counts ten thousand drivers for the fleet by what each last said", async () => {
  const figures = { now, from: now - 7 * 86_400_000, staleAt: now, recently: now, alerts: 20 };
  const { states, stale, hours } = await loadFleetFigures(db, figures);
  expect(new Map(states.map(({ state, drivers }) => [state, drivers]))).toEqual(
    new Map([
      ["asleep", 2500],
      ["off", 2500],
      ["polling", 2500],
      ["signed_out", 2500],
    ]),
  );
  // Every hundredth is overdue, and all of those look for blocks.
  expect(stale).toBe(100);
  expect(hours).toHaveLength(168);
  expect(hours[0]).toMatchObject({ captures: 16, late50: 80 });
});
