import { beforeAll, expect, it } from "vitest";
import { loadPriceHistory } from "../../db/queries/payments/plan-prices.ts";
import { loadAlerts } from "../../db/queries/fleet/alerts.ts";
import { listOpenPaymentAlerts } from "../../db/queries/payments/alerts.ts";
import { listBookedPayments } from "../../db/queries/payments/books.ts";
import { countPendingPushes, listDueRetries } from "../../db/queries/texts/announcement-retries.ts";
import { listCityHours } from "../../db/queries/fleet/cities.ts";
import { openDb } from "../../db/client.ts";
import { listActs } from "../../db/queries/operators/acts.ts";
import { listDriversInState, listOverdueObjects, loadFleetFigures } from "../../db/queries/fleet/figures.ts";
import { loadDriverForOperator, loadPaymentForRefund } from "../../db/queries/operators/driver.ts";
import { listCityLines, listSales } from "../../db/queries/operators/deployment.ts";
import { listDisputes, listPaymentsIn, listRefundsIn, loadMoney } from "../../db/queries/operators/money.ts";
import { listRaffleDrawEntries, listRaffles } from "../../db/queries/operators/raffles.ts";
import {
  listAnnouncements,
  listAnnouncementsById,
  listDriversAfter,
  listUntoldAnnouncements,
  loadDriverAnnouncements,
} from "../../db/queries/texts/announcements.ts";
import { listFleetStates } from "../../db/queries/fleet/state-history.ts";
import { listErrorGroups } from "../../db/queries/operators/error-groups.ts";
import { countFeedbackByWeek, listComments } from "../../db/queries/operators/feedback.ts";
import { listObjectsToReseal } from "../../db/queries/identity/master-keys.ts";
import { leaseDueRenewals, listDueRenewals } from "../../db/queries/payments/renewals.ts";
import { countDeadTasks, deleteOldTasks, listDoneTasks } from "../../db/queries/tasks/ended-tasks.ts";
import { listDueOrders } from "../../db/queries/operators/orders.ts";
import { findByEmail, findByEnd, findByName, findByNumber } from "../../db/queries/operators/search.ts";
import { listLiveSessions } from "../../db/queries/identity/sessions.ts";
import { loadPointsLedger } from "../../db/queries/rewards/rewards.ts";
import { DAY_MS, driverId } from "../../db/shapes/units.ts";
import { PLANS_FOR_SALE } from "../../db/shapes/money/plans.ts";
import { nameWords } from "../../db/shapes/name-words.ts";
import { daysIn } from "../../worker/console/day-span.ts";
import { migratedDatabase } from "../support/migrated-database.ts";
import { bindD1 } from "../support/node-d1.ts";

const DRIVERS = 10_000;
const someone = driverId.parse("driver-4711");
const now = 1_800_000_000_000;

const database = migratedDatabase();
const ran: { query: string; params: readonly unknown[] }[] = [];
const bound = bindD1(database);
/** Notes each statement that runs, so that a test can explain its plan. */
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

const nameOf = (index: number) => (index === 4711 ? "Zoé Souza" : `Driver ${index}`);
/** Two days of a week's payments: one is written each minute. */
const days = daysIn({ from: "2027-01-13", to: "2027-01-14", zone: "America/New_York" });
const span = { from: days[0]?.from ?? 0, to: days[1]?.to ?? 0 };

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
  const word = database.prepare(`INSERT INTO driver_name_words (word, driver_id) VALUES (?, ?)`);
  const refund = database.prepare(
    `INSERT INTO payment_refunds (id, payment_id, kind, cents, at, is_effective) VALUES (?, ?, ?, 100, ?, ?)`,
  );
  const dispute = database.prepare(
    `INSERT INTO payment_disputes (id, payment_id, status, reason, cents, fee_cents, due_at, at) VALUES (?, ?, ?, 'fraudulent', 5022, 1500, ?, ?)`,
  );
  const points = database.prepare(
    `INSERT INTO point_entries (source, driver_id, points, at) VALUES (?, ?, ?, ?)`,
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
  const opinion = database.prepare(
    `INSERT INTO feedback (id, driver_id, score, comment, at) VALUES (?, ?, ?, ?, ?)`,
  );
  const line = database.prepare(
    `INSERT INTO announcements (id, en, es, pt, audience, starts_at, ends_at, created_at) VALUES (?, 'e', 's', 'p', 'all', ?, ?, 0)`,
  );
  for (let index = 0; index < 100; index += 1) line.run(`a-${index}`, now - index, now - index + 50);
  const retry = database.prepare(`INSERT INTO announcement_retries VALUES (?, ?, 1, 0, ?)`);
  const price = database.prepare(
    `INSERT INTO plans (id, plan, price_cents, valid_from) VALUES (?, ?, 4000, ?)`,
  );
  for (let index = 0; index < 400; index += 1)
    price.run(`price-${index}`, PLANS_FOR_SALE[index % 4] ?? "7days", now - index * DAY_MS);
  for (let index = 0; index < DRIVERS; index += 1) {
    const id = `driver-${index}`;
    const at = now - index * 60_000;
    insert.run(
      id,
      `+1555${String(index).padStart(7, "0")}`,
      nameOf(index),
      index % 2,
      `d${index}@example.com`,
      at,
    );
    payment.run(`p-${index}`, id, `pi_${index}`, at, at);
    credit.run(`payment:p-${index}`, id, at);
    for (const one of nameWords(nameOf(index))) word.run(one, id);
    if (index % 10 === 0) refund.run(`re_${index}`, `p-${index}`, "refund", at, 1);
    if (index % 50 === 0)
      dispute.run(`du_${index}`, `p-${index}`, index % 100 === 0 ? "won" : "needs_response", at + DAY_MS, at);
    points.run(`payment:p-${index}:earned`, id, 70, at);
    spot.run(id, `City ${index % 20}`, index % 3 === 0 ? "waiting" : "held", at);
    act.run(`act-${index}`, id, at);
    opinion.run(`f-${index}`, id, (index % 10) + 1, index % 5 === 0 ? "words" : null, at);
    if (index % 5 === 0) retry.run(`a-${index % 100}`, id, now + index);
    state.run(id, ["polling", "asleep", "signed_out", "off"][index % 4] ?? "off", at, at);
    heartbeat.run(id, now + (index % 100 === 0 ? -1 : 1) * 600_000);
  }
  // D1 has no statistics, so the plans are made without.
  database.exec("COMMIT");
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
          /^SCAN (?!CONSTANT|lined$|all_cities$|.* VIRTUAL TABLE )/.test(detail) &&
          !/USING (COVERING )?INDEX/.test(detail),
      ),
  );
  return { statements: ran.length, scans };
}

it.each<[string, number, () => Promise<unknown>]>([
  ["a driver by number", 1, () => findByNumber(db, "+15550004711", 20)],
  ["drivers by the end of a number", 1, () => findByEnd(db, "4711", 20)],
  ["drivers by name", 1, () => findByName(db, "driver 47", 20)],
  ["drivers by a last name", 1, () => findByName(db, "souza zoe", 20)],
  ["what two days brought", 9, () => loadMoney(db, { days, span, currency: "USD", now })],
  ["payments of two days", 1, () => listPaymentsIn(db, { ...span, before: null, limit: 50 })],
  [
    "payments of two days, further down",
    1,
    () => listPaymentsIn(db, { ...span, before: { at: span.to - 1000, id: "p-1" }, limit: 50 }),
  ],
  ["refunds of two days", 1, () => listRefundsIn(db, { ...span, before: null, limit: 50 })],
  ["disputes", 2, () => listDisputes(db, { ...span, limit: 50 })],
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
  ["open alerts", 2, async () => [await listOpenPaymentAlerts(db, 501), await loadAlerts(db, now)]],
  ["the books of a month", 1, async () => listBookedPayments(db, { from: now - 31 * DAY_MS, to: now })],
  ["sales", 1, () => listSales(db, { currency: "USD", now: now })],
  ["list prices", 1, () => loadPriceHistory(db, { currency: "USD", listPrices: null })],
  [
    "the fleet",
    7,
    () =>
      loadFleetFigures(db, {
        now,
        from: now - 7 * 86_400_000,
        usualHours: [490_000],
        staleAt: now,
        recently: now,
        alerts: 20,
      }),
  ],
  [
    "the states of a month",
    1,
    async () => listFleetStates(db, { from: now - 28 * DAY_MS, to: now, isHourly: true }),
  ],
  ["the hours of cities", 1, () => listCityHours(db, [480_000, 480_001])],
  ["scores by week", 1, async () => countFeedbackByWeek(db, now - 84 * 86_400_000)],
  ["comments", 1, async () => listComments(db, null, 31)],
  ["comments, further down", 1, async () => listComments(db, { at: now - 1000, id: "f-4" }, 31)],
  ["errors of pages", 2, () => listErrorGroups(db, 90)],
  ["announcements", 1, () => listAnnouncements(db, 50)],
  ["a driver's announcements", 1, () => loadDriverAnnouncements(db, someone, now)],
  ["announcements to go on with", 1, () => listUntoldAnnouncements(db, now, 5)],
  ["drivers to come back to", 1, async () => listDueRetries(db, now, 250)],
  ["pushes that are still going", 1, async () => countPendingPushes(db)],
  ["the next drivers to tell", 1, async () => listDriversAfter(db, someone, 250)],
  ["the drivers in a state", 1, () => listDriversInState(db, ["signed_out", "asleep"], 51)],
  [
    "the drivers whose objects are overdue",
    1,
    () => listOverdueObjects(db, { staleAt: now, isThrowing: false }, 51),
  ],
  [
    "the drivers whose objects throw",
    1,
    () => listOverdueObjects(db, { staleAt: now, isThrowing: true }, 51),
  ],
  [
    "objects whose seals are of another key",
    2,
    () => listObjectsToReseal(db, { currentId: "current", lostIds: ["lost"], limit: 50 }),
  ],
  ["tasks that were done before", 1, () => listDoneTasks(db, ["one", "two"])],
  ["tasks that were given up", 1, () => countDeadTasks(db, now - DAY_MS)],
  ["tasks to forget", 1, () => deleteOldTasks(db, now - 7 * DAY_MS)],
  ["announcements of tasks", 1, () => listAnnouncementsById(db, ["a-1", "a-2"])],
  ["renewals that are due", 1, () => listDueRenewals(db, { now, limit: 20 })],
  ["renewals to keep for the queue", 1, () => leaseDueRenewals(db, { now, until: now + 1, limit: 1_000 })],
  ["cities", 1, async () => listCityLines(db)],
  ["raffles", 1, () => listRaffles(db, 50)],
  ["the entries of a raffle", 1, () => listRaffleDrawEntries(db, "december")],
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

it("finds drivers by any word of their name, each once, whatever its case and accents", async () => {
  expect(await findByName(db, "SOÚZA", 20)).toMatchObject([{ id: someone, name: "Zoé Souza" }]);
  expect(await findByName(db, "sou zo", 20)).toMatchObject([{ id: someone }]);
  expect(await findByName(db, "souza ana", 20)).toEqual([]);
  expect(await findByName(db, "...", 20)).toEqual([]);
  expect(await findByName(db, "driver", 20)).toHaveLength(20);
});

it("adds up what two days brought, lost and owe, with the disputes that wait first", async () => {
  const found = await loadMoney(db, { days, span, currency: "USD", now });
  const each = found.paid.map(({ day, plan, payments, cents }) => [day, plan, payments, cents]);
  expect(each).toEqual([
    ["2027-01-13", "7days", 1440, 1440 * 5022],
    ["2027-01-14", "7days", 1440, 1440 * 5022],
  ]);
  expect(found.returned.map(({ refundedCents }) => refundedCents)).toEqual([14_400, 14_400]);
  expect(found.fees).toEqual({ cents: 0, known: 0, payments: 2880 });
  expect(found.points).toEqual([{ kind: "earned", granted: 70 * 2880, spent: 0 }]);
  expect(found.drivers).toEqual({ paying: 2880, returning: 0, lost: 0 });
  const lostIn = async (at: number) => {
    const ended = { from: now + DAY_MS, to: now + 2 * DAY_MS };
    return (await loadMoney(db, { days, span: ended, currency: "USD", now: at })).drivers.lost;
  };
  expect(await lostIn(now + 3 * DAY_MS)).toBe(1440);
  expect(await lostIn(now + DAY_MS)).toBe(0);
  const disputes = await listDisputes(db, { ...span, limit: 50 });
  const due = disputes.map(({ dueAt }) => dueAt);
  expect(disputes.every(({ status }) => status === "needs_response")).toBe(true);
  expect(due).toEqual(due.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  expect((await listPaymentsIn(db, { ...span, before: null, limit: 5000 })).length).toBe(2880);
});

it("lists each city once, with its line", async () => {
  const lines = await listCityLines(db);
  expect(lines).toHaveLength(20);
  expect(lines.reduce((total, { taken, waiting }) => total + taken + waiting, 0)).toBe(DRIVERS);
});

it("counts ten thousand drivers for the fleet by what each last said", async () => {
  const figures = {
    now,
    from: now - 7 * 86_400_000,
    usualHours: [],
    staleAt: now,
    recently: now,
    alerts: 20,
  };
  const { states, stale, hours } = await loadFleetFigures(db, figures);
  expect(new Map(states.map(({ state, drivers }) => [state, drivers]))).toEqual(
    new Map([
      ["asleep", 2500],
      ["off", 2500],
      ["polling", 2400],
      ["signed_out", 2500],
    ]),
  );
  // Every hundredth is overdue, and all of those looked for blocks.
  expect(stale).toBe(100);
  expect(hours).toHaveLength(168);
  expect(hours[0]).toMatchObject({ captures: 16, late50: 80 });
});

it("keeps a seal for each linked driver and for nobody else, which finds those of another key", async () => {
  const seals = () => database.prepare(`SELECT count(*) AS seals FROM object_seals`).get();
  const other = () => listObjectsToReseal(db, { currentId: "k", lostIds: ["lost"], limit: DRIVERS });
  expect([seals(), (await other()).length]).toEqual([{ seals: DRIVERS }, DRIVERS]);
  database.exec(`UPDATE object_seals SET key_id = 'k'`);
  database.exec(`UPDATE object_seals SET key_id = 'a' WHERE driver_id = 'driver-1'`);
  database.exec(`UPDATE object_seals SET key_id = 'z' WHERE driver_id = 'driver-2'`);
  database.exec(`UPDATE object_seals SET key_id = 'lost' WHERE driver_id = 'driver-3'`);
  expect((await other()).map(({ driverId: id }) => id)).toEqual(["driver-1", "driver-2"]);
  database.exec(`UPDATE users SET proxy_installed = 0 WHERE id = 'driver-1'`);
  expect([seals(), (await other()).length]).toEqual([{ seals: DRIVERS - 1 }, 1]);
  database.exec(`UPDATE users SET proxy_installed = 1 WHERE id = 'driver-1'`);
  expect([seals(), (await other()).length]).toEqual([{ seals: DRIVERS }, 2]);
});
