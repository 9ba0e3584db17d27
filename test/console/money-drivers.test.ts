import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { loadMoney } from "../../db/queries/operators/money.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;
const DAYS = 10;
const FROM = NOW - DAYS * DAY;
const DRIVERS = 120;
const PLANS = ["1day", "7days", "30days"] as const;

type Paid = { driver: string; plan: string; cents: number; fee: number | null; settledAt: number | null };

/** Draws the same for a seed. */
function drawsOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function makeBooks(seed: number): Paid[] {
  const draw = drawsOf(seed);
  return Array.from({ length: 600 }, () => ({
    driver: `driver ${draw(DRIVERS)}`,
    plan: PLANS[draw(3)] ?? "1day",
    // Some are paid with points alone.
    cents: draw(5) === 0 ? 0 : 1_000 + draw(9_000),
    fee: draw(3) === 0 ? null : draw(300),
    settledAt: draw(6) === 0 ? null : NOW - draw(20 * DAY),
  }));
}

function openBooks(books: readonly Paid[]) {
  const database = migratedDatabase();
  const insert = database.prepare(
    `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, processor_fee_cents, created_at, settled_at, revision)
      VALUES (?, ?, ?, ?, ?, 'USD', ?, 0, 0, 0, 0, ?, 0, ?, ?, ?, 1)`,
  );
  for (const [index, { driver, plan, cents, fee, settledAt }] of books.entries())
    insert.run(
      `p${index}`,
      driver,
      `pi_${index}`,
      plan,
      settledAt === null ? "canceled" : "settled",
      cents,
      cents,
      fee,
      settledAt ?? NOW,
      settledAt,
    );
  return openDb(bindD1(database));
}

const sumOf = (paid: readonly Paid[]) => paid.reduce((sum, { cents }) => sum + cents, 0);

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "counts income, fees and drivers as the payments of the span say, however often each pays (books %i)",
  async (seed) => {
    const books = makeBooks(seed);
    const days = Array.from({ length: DAYS }, (_, index) => ({
      day: `day ${index}`,
      from: FROM + index * DAY,
      to: FROM + (index + 1) * DAY,
    }));
    const found = await loadMoney(openBooks(books), { days, span: { from: FROM, to: NOW }, now: NOW });

    const within = (paid: Paid, from: number, to: number) =>
      paid.cents > 0 && paid.settledAt !== null && paid.settledAt >= from && paid.settledAt < to;
    const inSpan = books.filter((paid) => within(paid, FROM, NOW));
    const payers = new Set(inSpan.map(({ driver }) => driver));
    const before = new Set(books.filter((paid) => within(paid, 0, FROM)).map(({ driver }) => driver));
    expect(found.drivers).toEqual({
      paying: payers.size,
      returning: [...payers].filter((driver) => before.has(driver)).length,
      lost: 0,
    });
    expect(found.fees).toEqual([
      {
        currency: "USD",
        cents: inSpan.reduce((sum, { fee }) => sum + (fee ?? 0), 0),
        known: inSpan.filter(({ fee }) => fee !== null).length,
        payments: inSpan.length,
      },
    ]);
    const expected = days.flatMap(({ day, from, to }) =>
      PLANS.flatMap((plan) => {
        const own = books.filter((paid) => paid.plan === plan && within(paid, from, to));
        return own.length === 0
          ? []
          : [{ day, currency: "USD", plan, payments: own.length, cents: sumOf(own) }];
      }),
    );
    const byDay = (one: { day: string; plan: string | null }, other: { day: string; plan: string | null }) =>
      `${one.day} ${one.plan}` < `${other.day} ${other.plan}` ? -1 : 1;
    expect(found.paid.toSorted(byDay)).toEqual(expected.toSorted(byDay));
  },
);
