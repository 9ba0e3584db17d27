import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import {
  compareBooks,
  compareMovements,
  type OurBooking,
  type StripeBooking,
} from "../../../worker/payments/books/compare-books.ts";
import { reconcileBooks } from "../../../worker/payments/books/reconcile-books.ts";
import { fetchStripeBooks } from "../../../worker/payments/books/stripe-books.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";

const FROM = Date.parse("2026-11-20T00:00:00Z");
const SPAN = { from: FROM, to: FROM + DAY_MS };

const theirs: StripeBooking = {
  intentId: "pi_1",
  paymentId: "p1",
  isPaid: true,
  cents: 5022,
  currency: "USD",
  days: 7,
  returnedCents: 0,
  balanceCents: 4846,
};
const { days: _days, ...both } = theirs;
const ours: OurBooking = { ...both, paymentId: "p1", creditedDays: 7 };

it("tells movements that one side lacks or has with another sum, and none that agree", () => {
  const payout = { id: "txn_1", type: "payout", cents: -5000, currency: "USD", at: 0 };
  const compared = (here: Partial<typeof payout>[]) =>
    compareMovements(
      [payout],
      here.map((change) => ({ ...payout, ...change })),
    ).map(({ intentId, what, stripe, ours: known }) => [intentId, what, stripe, known]);
  expect(compared([{ at: 7 }])).toEqual([]);
  expect(compared([{ cents: -4999 }])).toEqual([
    ["txn_1", "movement", "payout -5000 USD", "payout -4999 USD"],
  ]);
  expect(compared([{ currency: "MXN" }])).toEqual([
    ["txn_1", "movement", "payout -5000 USD", "payout -5000 MXN"],
  ]);
  expect(compared([{ id: "txn_2" }])).toEqual([
    ["txn_1", "movement", "payout -5000 USD", "none"],
    ["txn_2", "movement", "none", "payout -5000 USD"],
  ]);
});

describe("two books", () => {
  const compare = (stripe: Partial<StripeBooking>[], here: Partial<OurBooking>[], isInSpan = true) =>
    compareBooks(
      {
        stripe: stripe.map((change) => ({ ...theirs, ...change })),
        ours: here.map((change) => ({ ...ours, ...change })),
      },
      () => isInSpan,
    );
  const difference = (what: string, stripe: unknown, here: unknown, intentId: string | null = "pi_1") => ({
    paymentId: "p1",
    intentId,
    what,
    stripe: String(stripe),
    ours: String(here),
  });

  it.each<[string, Partial<StripeBooking>[], Partial<OurBooking>[], object[]]>([
    ["all is the same", [{}], [{}], []],
    ["nobody paid", [{ isPaid: false, cents: 1 }], [{ isPaid: false }], []],
    ["who never paid is not here", [{ isPaid: false }], [], []],
    ["Stripe does not say the days", [{ days: null }], [{ creditedDays: 3 }], []],
    ["who paid is not here", [{}], [], [difference("missing_here", 5022, "none")]],
    ["Stripe has no such intent", [], [{}], [difference("missing_at_stripe", "none", 5022)]],
    [
      "an intent was never made",
      [],
      [{ intentId: null }],
      [difference("missing_at_stripe", "none", 5022, null)],
    ],
    ["nothing was to be paid", [], [{ cents: 0, intentId: null }, { isPaid: false }], []],
    ["only Stripe has it as paid", [{}], [{ isPaid: false, cents: 1 }], [difference("paid", true, false)]],
    ["only we have it as paid", [{ isPaid: false, cents: 1 }], [{}], [difference("paid", false, true)]],
    [
      "it was paid twice",
      [{}, { intentId: "pi_2" }],
      [{}],
      [difference("second_intent", 5022, "pi_1", "pi_2")],
    ],
    ["what was paid twice was given back", [{}, { intentId: "pi_2", returnedCents: 5022 }], [{}], []],
    ["a second intent was canceled", [{}, { intentId: "pi_2", isPaid: false }], [{}], []],
    [
      "an intent was made by hand",
      [{ paymentId: null }],
      [],
      [{ ...difference("unknown_intent", 5022, "none"), paymentId: null }],
    ],
    ["what was made by hand was given back", [{ paymentId: null, returnedCents: 5022 }], [], []],
    [
      "nothing is the same",
      [{}],
      [{ cents: 1, currency: "EUR", creditedDays: 3, returnedCents: 2 }],
      [
        difference("cents", 5022, 1),
        difference("currency", "USD", "EUR"),
        difference("days", 7, 3),
        difference("returned_cents", 0, 2),
      ],
    ],
  ])("are compared where %s", (_name, stripe, here, differences) => {
    expect(compare(stripe, here)).toEqual(differences);
    expect(compare(stripe, here, false)).toEqual([]);
  });
});

describe("Stripe's books of a span", () => {
  const fetchFrom = async (lists: Record<string, object[]>) => {
    const asked: string[] = [];
    const answer = async (input: RequestInfo | URL) => {
      const { pathname, searchParams } = new URL(new Request(input).url);
      const name = pathname.replace("/v1/", "");
      asked.push(`${name}?${searchParams}`);
      return Response.json({ object: "list", url: pathname, data: lists[name] ?? [], has_more: false });
    };
    const stripe = new Stripe("sk_test_books", { httpClient: Stripe.createFetchHttpClient(answer) });
    return { asked, books: await fetchStripeBooks(stripe, { from: FROM + 1, to: SPAN.to - 1 }) };
  };
  const intent = (change: object) => ({
    id: "pi_1",
    status: "succeeded",
    amount: 6000,
    amount_received: 5022,
    currency: "usd",
    created: FROM / 1000,
    metadata: { payment_id: "p1", days: "7" },
    ...change,
  });
  const returnedOf = async (lists: Record<string, object[]>) =>
    (await fetchFrom({ payment_intents: [intent({})], ...lists })).books.bookings[0]?.returnedCents;

  it("are what was begun in it and a day after, and what went back until now", async () => {
    const { asked, books } = await fetchFrom({
      payment_intents: [
        intent({}),
        intent({ id: "pi_2", status: "canceled", metadata: { payment_id: "p2" } }),
        intent({ id: "pi_3", metadata: { another: "shop" } }),
      ],
    });
    const listed = { ...theirs, balanceCents: 0 };
    expect(books).toEqual({
      movements: [],
      bookings: [
        listed,
        { ...listed, intentId: "pi_2", paymentId: "p2", isPaid: false, cents: 6000, days: null },
        { ...listed, intentId: "pi_3", paymentId: null, days: null },
      ],
      begunAt: new Map([
        ["pi_1", FROM],
        ["pi_2", FROM],
        ["pi_3", FROM],
      ]),
    });
    const gte = `created%5Bgte%5D=${FROM / 1000}`;
    const lt = `created%5Blt%5D=${(SPAN.to + DAY_MS) / 1000}`;
    expect(asked).toEqual([
      `payment_intents?${gte}&${lt}&limit=100`,
      `refunds?${gte}&limit=100`,
      `disputes?${gte}&limit=100`,
      `balance_transactions?created%5Bgte%5D=${FROM / 1000}&limit=100&expand%5B0%5D=data.source`,
    ]);
  });

  it("add up what was refunded, unless that failed or was called off", async () => {
    const refunds = ["succeeded", "pending", "failed", "canceled"].map((status, index) => ({
      payment_intent: "pi_1",
      amount: 10 ** index,
      status,
    }));
    expect(await returnedOf({ refunds })).toBe(11);
    const elsewhere = { amount: 1, status: "succeeded" };
    expect(
      await returnedOf({
        refunds: [
          { ...elsewhere, payment_intent: null },
          { ...elsewhere, payment_intent: "pi_9" },
          { ...elsewhere, payment_intent: { id: "pi_1" } },
        ],
      }),
    ).toBe(1);
  });

  it.each([
    ["lost", [], 500],
    ["appeal_open", [], 500],
    ["won", [], 0],
    ["won_appeal_", [], 0],
    ["needs_response", [{ amount: -500 }], 0],
    ["prevented", [{ amount: -500 }], 500],
    ["prevented", [{ amount: -500 }, { amount: 500 }], 0],
    ["prevented", [], 0],
  ])("count a dispute that is %s, with %j, as %i cents", async (status, balance_transactions, cents) => {
    const disputes = [{ payment_intent: "pi_1", amount: 500, status, balance_transactions }];
    expect(await returnedOf({ disputes })).toBe(cents);
  });
});

describe("a span of days", () => {
  /** Our books, with a payment of seven days each that was begun at an instant. */
  function openBooks(begun: Record<string, { at: number; isPaid?: boolean }>) {
    const database = migratedDatabase();
    for (const [id, { at, isPaid = true }] of Object.entries(begun)) {
      database
        .prepare(
          `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
           VALUES (?, 'ana', 'pi_' || ?, '7days', 'settled', 'USD', 4987, 0, 0, 0, 35, 5022, 0, ?, ?, 1)`,
        )
        .run(id, id, at, isPaid ? at : null);
      database
        .prepare(`INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, 'ana', ?, ?)`)
        .run(`payment:${id}`, 7 * DAY_MS, at);
    }
    return openDb(bindD1(database));
  }
  const booking = (paymentId: string) => ({ ...theirs, paymentId, intentId: `pi_${paymentId}` });

  it("has the payments that were begun in it, as we know it, else as Stripe does", async () => {
    const db = openBooks({
      before: { at: FROM - 1 },
      first: { at: FROM },
      last: { at: SPAN.to - 1 },
      unpaid: { at: FROM, isPaid: false },
    });
    const bookings = ["before", "first", "last", "early", "strange", "late"].map(booking);
    const begunAt = new Map([
      ["pi_before", FROM],
      ["pi_early", FROM - 1],
      ["pi_strange", FROM],
      ["pi_late", SPAN.to],
    ]);
    const found = await reconcileBooks(
      { db, fetchBooks: async () => ({ bookings, begunAt, movements: [] }) },
      SPAN,
    );
    expect(found).toEqual({
      payments: 2,
      paidCents: 10_044,
      differences: [
        { paymentId: "strange", intentId: "pi_strange", what: "missing_here", stripe: "5022", ours: "none" },
      ],
    });
  });

  it("compares no movements where Stripe's could not all be read", async () => {
    const db = openBooks({});
    const books = { bookings: [], begunAt: new Map(), movements: null };
    const found = await reconcileBooks({ db, fetchBooks: async () => books }, SPAN);
    expect(found.differences).toEqual([]);
  });

  it("has nothing of a payment that neither side can date", async () => {
    const found = await reconcileBooks(
      {
        db: openBooks({}),
        fetchBooks: async () => ({ bookings: [booking("undated")], begunAt: new Map(), movements: [] }),
      },
      SPAN,
    );
    expect(found).toEqual({ payments: 0, paidCents: 0, differences: [] });
  });
});
