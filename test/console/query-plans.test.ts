import { expect, it } from "vitest";
import { loadPriceHistory } from "../../db/queries/payments/plan-prices.ts";
import { loadAlerts } from "../../db/queries/fleet/alerts.ts";
import { listOpenPaymentAlerts } from "../../db/queries/payments/alerts.ts";
import { listPaymentsToReconcile } from "../../db/queries/payments/payments.ts";
import { listBookedPayments } from "../../db/queries/payments/journal.ts";
import { countPendingPushes, listDueRetries } from "../../db/queries/texts/announcement-retries.ts";
import { listCityDays, listCityHours } from "../../db/queries/fleet/cities.ts";
import { listActs } from "../../db/queries/operators/acts.ts";
import { listDriversInState, listOverdueObjects, loadFleetFigures } from "../../db/queries/fleet/figures.ts";
import {
  loadDriverForOperator,
  loadPaymentForRefund,
  findByEmail,
  findByEnd,
  findByName,
  findByNumber,
} from "../../db/queries/operators/driver.ts";
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
import {
  countFailingRenewals,
  leaseDueRenewals,
  listDueRenewals,
} from "../../db/queries/payments/renewals.ts";
import { countDeadTasks, deleteOldTasks, listDoneTasks } from "../../db/queries/fleet/ended-tasks.ts";
import { countLeftOrders, listDueOrders } from "../../db/queries/operators/orders.ts";
import { listLiveSessions } from "../../db/queries/identity/sessions.ts";
import { loadPointsLedger } from "../../db/queries/rewards/rewards.ts";
import { DAY_MS, driverId } from "../../db/shapes/units.ts";
import { daysIn } from "../../worker/console/money.ts";
import { DRIVERS, NOW, openTenThousand } from "./fleet/ten-thousand.ts";

const someone = driverId.parse("driver-4711");
const now = NOW;
/** Two days of a week's payments: one is written each minute. */
const days = daysIn({ from: "2027-01-13", to: "2027-01-14", zone: "America/New_York" });
const span = { from: days[0]?.from ?? 0, to: days[1]?.to ?? 0 };

const { database, db, plansOf } = openTenThousand();

/** The plans of the statements that a screen runs; a table that is read from end to end is named. */
async function scansOf(screen: () => Promise<unknown>): Promise<{ statements: number; scans: string[] }> {
  const plans = await plansOf(screen);
  const scans = plans
    .flatMap(({ details }) => details)
    // A scan by an index stops at the page's end; one of rows that stand in the statement, or of the cities that were
    // found, reads no table.
    .filter(
      (detail) =>
        /^SCAN (?!CONSTANT|lined$|all_cities$|payers$|.* VIRTUAL TABLE )/.test(detail) &&
        !/USING (COVERING )?INDEX/.test(detail),
    );
  return { statements: plans.length, scans };
}

it.each<[string, number, () => Promise<unknown>]>([
  ["a driver by number", 1, () => findByNumber(db, "+15550004711", 20)],
  ["drivers by the end of a number", 1, () => findByEnd(db, "4711", 20)],
  ["drivers by name", 1, () => findByName(db, "driver 47", 20)],
  ["drivers by a last name", 1, () => findByName(db, "souza zoe", 20)],
  ["what two days brought", 9, () => loadMoney(db, { days, span, now })],
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
  ["the last 30 days of cities", 1, () => listCityDays(db, now - 30 * DAY_MS)],
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
  [
    "the drivers in a state",
    1,
    () => listDriversInState(db, { states: ["signed_out", "asleep"], staleAt: now }, 51),
  ],
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
  ["renewals whose looks fail", 1, () => countFailingRenewals(db)],
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

it.each<[string, RegExp, () => Promise<unknown>]>([
  [
    "orders that are left, not with all acts of before",
    /^SCAN operator_orders/,
    () => countLeftOrders(db, now),
  ],
  [
    "payments that a deleted account left, not with all that were paid",
    /^SEARCH payments USING INDEX payments_orphaned /,
    () => listPaymentsToReconcile(db, { before: now, limit: 200 }),
  ],
])("begins with the few %s", async (_name, plan, run) => {
  for (const { details } of await plansOf(run)) {
    const reads = details.filter((detail) => /^(?:SCAN|SEARCH)/.test(detail));
    expect(reads.some((detail) => plan.test(detail))).toBe(true);
    expect(reads.filter((detail) => detail.includes("operator_acts_at"))).toEqual([]);
  }
});

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
  const found = await loadMoney(db, { days, span, now });
  const each = found.paid.map(({ day, plan, payments, cents }) => [day, plan, payments, cents]);
  expect(each).toEqual([
    ["2027-01-13", "7days", 1440, 1440 * 5022],
    ["2027-01-14", "7days", 1440, 1440 * 5022],
  ]);
  expect(found.returned.map(({ refundedCents }) => refundedCents)).toEqual([14_400, 14_400]);
  expect(found.fees).toEqual([{ currency: "USD", cents: 0, known: 0, payments: 2880 }]);
  expect(found.points).toEqual([{ kind: "earned", granted: 70 * 2880, spent: 0 }]);
  expect(found.drivers).toEqual({ paying: 2880, returning: 0, lost: 0 });
  const lostIn = async (at: number) => {
    const ended = { from: now + DAY_MS, to: now + 2 * DAY_MS };
    return (await loadMoney(db, { days, span: ended, now: at })).drivers.lost;
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
  const tried = new Set<string>();
  for (let minute = 0; minute < 10; minute += 1)
    for (const { driverId: id } of await listObjectsToReseal(db, { currentId: "k", lostIds: [], limit: 50 }))
      tried.add(id);
  expect(tried.size).toBeGreaterThan(50);
  database.exec(`UPDATE object_seals SET key_id = 'k'`);
  database.exec(`UPDATE object_seals SET key_id = 'a' WHERE driver_id = 'driver-1'`);
  database.exec(`UPDATE object_seals SET key_id = 'z' WHERE driver_id = 'driver-2'`);
  database.exec(`UPDATE object_seals SET key_id = 'lost' WHERE driver_id = 'driver-3'`);
  expect((await other()).map(({ driverId: id }) => id).toSorted()).toEqual(["driver-1", "driver-2"]);
  database.exec(`UPDATE users SET proxy_installed = 0 WHERE id = 'driver-1'`);
  expect([seals(), (await other()).length]).toEqual([{ seals: DRIVERS - 1 }, 1]);
  database.exec(`UPDATE users SET proxy_installed = 1 WHERE id = 'driver-1'`);
  expect([seals(), (await other()).length]).toEqual([{ seals: DRIVERS }, 2]);
});
