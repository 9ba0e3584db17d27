import { describe, expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { OPEN_DISPUTE_STATUSES } from "../../db/shapes/money/money-back.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { listDisputesOf, listPayments, listRefunds, loadMoneyReport } from "../../worker/console/money.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

type Values = Record<string, string | number | null>;

/** Ten o'clock on the first of two days in UTC, of which lists are asked. */
const AT = Date.UTC(2027, 0, 13, 10);
const DAYS = { from: "2027-01-13", to: "2027-01-14", zone: "UTC" };
const MIDNIGHT = Date.UTC(2027, 0, 13);
const END = MIDNIGHT + 2 * DAY_MS;

/** The books of an operator's desk, with one driver who has a record. */
function openBooks() {
  const database = migratedDatabase();
  insertDriver(database, { id: "ana" });
  const add = (table: string, row: Values) => {
    const columns = Object.keys(row);
    database
      .prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`)
      .run(...Object.values(row));
  };
  const pay = (id: string, row: Values = {}) =>
    add("payments", {
      id,
      driver_id: "ana",
      intent_id: `pi_${id}`,
      plan: "7days",
      status: "settled",
      currency: "USD",
      price_cents: 5_000,
      cut_cents: 0,
      points: 0,
      points_cents: 0,
      fee_cents: 22,
      total_cents: 5_022,
      refunded_cents: 0,
      created_at: AT,
      settled_at: AT,
      revision: 1,
      ...row,
    });
  const dispute = (id: string, row: Values = {}) => {
    pay(id);
    const rest = { status: "needs_response", reason: "fraudulent", cents: 5_022, fee_cents: 1_500 };
    add("payment_disputes", { id, payment_id: id, ...rest, due_at: AT, at: AT, ...row });
  };
  const refund = (id: string, row: Values = {}) =>
    add("payment_refunds", { id, kind: "refund", cents: 1_000, at: AT, is_effective: 1, ...row });
  const deps = { now: () => END, config: { currency: "USD" } };
  const context = { db: openDb(bindD1(database)), deps } as unknown as Parameters<typeof listDisputesOf>[0];
  return { context, pay, dispute, refund };
}

const idsOf = ({ rows }: { rows: readonly { id: string }[] }) => rows.map(({ id }) => id);

describe("the list of disputes", () => {
  it("has open ones of any day, the soonest deadline first, then decided ones of the days, the newest first", async () => {
    const { context, dispute } = openBooks();
    const lost = { status: "lost", due_at: null };
    dispute("undated-later", { due_at: null, at: AT + 1 });
    dispute("undated", { due_at: null });
    dispute("later", { due_at: AT + DAY_MS });
    dispute("old", { due_at: AT + 1, at: AT - 90 * DAY_MS });
    dispute("soonest");
    dispute("first-lost", { ...lost, at: MIDNIGHT });
    dispute("last-lost", { ...lost, at: END - 1 });
    dispute("lost-before", { ...lost, at: MIDNIGHT - 1 });
    dispute("lost-after", { ...lost, at: END });
    const listed = ["soonest", "old", "later", "undated", "undated-later", "last-lost", "first-lost"];
    const all = await listDisputesOf(context, DAYS);
    expect([idsOf(all), all.hasMore]).toEqual([listed, false]);
    for (const size of [1, 5, 6, 7]) {
      const page = await listDisputesOf(context, DAYS, size);
      expect([idsOf(page), page.hasMore]).toEqual([listed.slice(0, size), size < listed.length]);
    }
  });

  it.each<[string, boolean]>([
    ...OPEN_DISPUTE_STATUSES.map((status): [string, boolean] => [status, true]),
    ["won", false],
    ["lost", false],
    ["warning_closed", false],
    ["prevented", false],
    ["a status of tomorrow", false],
  ])("has one that is %s, whenever it began: %s", async (status, isOpen) => {
    const { context, dispute } = openBooks();
    dispute("one", { status, at: AT - 90 * DAY_MS });
    expect(idsOf(await listDisputesOf(context, DAYS))).toEqual(isOpen ? ["one"] : []);
  });

  it("says whose, for what and how much, also where the driver's account is gone", async () => {
    const { context, dispute, pay } = openBooks();
    dispute("known", { due_at: AT + 1 });
    const row = {
      id: "known",
      at: AT,
      driverId: "ana",
      name: "Ana",
      paymentId: "known",
      intentId: "pi_known",
      status: "needs_response",
      reason: "fraudulent",
      plan: "7days",
      currency: "USD",
      cents: 5_022,
      feeCents: 1_500,
      dueAt: AT + 1,
    };
    pay("of-nobody", { driver_id: "gone" });
    dispute("gone", { payment_id: "of-nobody", due_at: AT + 2 });
    expect((await listDisputesOf(context, DAYS)).rows).toEqual([
      row,
      {
        ...row,
        id: "gone",
        driverId: "gone",
        name: null,
        paymentId: "of-nobody",
        intentId: "pi_of-nobody",
        dueAt: AT + 2,
      },
    ]);
  });
});

describe("a list of money, page by page", () => {
  it.each([
    ["payments", listPayments],
    ["refunds", listRefunds],
  ] as const)(
    "has all %s of the days once, newest first, those of one instant by their ids",
    async (table, list) => {
      const { context, pay, refund } = openBooks();
      const instants: [string, number][] = [
        ["before", MIDNIGHT - 1],
        ["first", MIDNIGHT],
        ["same-a", AT],
        ["same-b", AT],
        ["same-c", AT],
        ["last", END - 1],
        ["after", END],
      ];
      for (const [id, at] of instants) {
        pay(id, { settled_at: at });
        refund(id, { payment_id: id, at });
      }
      const pages: string[][] = [];
      for (let cursor: string | undefined; ;) {
        const page = await list(context, { ...DAYS, cursor }, 2);
        pages.push(idsOf(page));
        if (page.cursor === null) break;
        cursor = page.cursor;
      }
      expect(pages, table).toEqual([["last", "same-c"], ["same-b", "same-a"], ["first"]]);
      const whole = await list(context, DAYS, 5);
      expect([idsOf(whole), whole.cursor]).toEqual([pages.flat(), null]);
    },
  );

  it("has no payment whose money never came, and no dispute among refunds before it is lost", async () => {
    const { context, pay, refund } = openBooks();
    pay("paid");
    pay("canceled", { status: "canceled", settled_at: null });
    refund("refund", { payment_id: "paid" });
    refund("failed", { payment_id: "paid", is_effective: 0, at: AT - 1 });
    refund("lost", { payment_id: "paid", kind: "dispute", at: AT - 2 });
    refund("open", { payment_id: "paid", kind: "dispute", is_effective: 0 });
    expect(idsOf(await listPayments(context, DAYS))).toEqual(["paid"]);
    const { rows } = await listRefunds(context, DAYS);
    expect(rows.map(({ id, kind, isEffective }) => [id, kind, isEffective])).toEqual([
      ["refund", "refund", true],
      ["failed", "refund", false],
      ["lost", "dispute", true],
    ]);
  });
});

describe("the report of money", () => {
  it("counts what came back on the day of its return, each currency apart", async () => {
    const { context, pay, refund, dispute } = openBooks();
    const [day, next] = [AT, AT + DAY_MS];
    pay("mxn", { currency: "MXN", total_cents: 9_000, processor_fee_cents: 300 });
    pay("usd", { processor_fee_cents: 176 });
    dispute("disputed", { at: day });
    refund("r", { payment_id: "usd", took_at: next });
    refund("r-failed", { payment_id: "usd", cents: 400, took_at: day, returned_at: next, is_effective: 0 });
    refund("d", { payment_id: "disputed", kind: "dispute", cents: 5_022, took_at: day });
    refund("r-early", { payment_id: "mxn", cents: 100, at: day });
    refund("r-early-failed", { payment_id: "mxn", cents: 50, at: day, is_effective: 0 });
    const line = { plan: "7days", payments: 0, grossCents: 0, refundedCents: 0, disputedCents: 0 };
    expect(await loadMoneyReport(context, DAYS)).toMatchObject({
      currency: "USD",
      revenue: [
        { ...line, day: "2027-01-14", refundedCents: 600 },
        {
          ...line,
          day: "2027-01-13",
          payments: 2,
          grossCents: 10_044,
          refundedCents: 400,
          disputedCents: 5_022,
        },
      ],
      fees: { cents: 176, known: 1, payments: 2, disputeCents: 1_500 },
      others: [
        {
          currency: "MXN",
          revenue: [{ ...line, day: "2027-01-13", payments: 1, grossCents: 9_000, refundedCents: 100 }],
          fees: { cents: 300, known: 1, payments: 1, disputeCents: 0 },
        },
      ],
    });
  });
});
