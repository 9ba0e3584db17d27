import * as fc from "fast-check";
import { expect, it } from "vitest";
import { compareLedgers } from "../../../worker/payments/books/reconcile-books.ts";
import { act, MoneyLife, type Act } from "../money-life.ts";
import { countOf, draws } from "../../support/draws.ts";

/** How many lives: as many as asked by `LIVES=100 npm run test:unit -- journal`. */
const LIVES = Number(process.env["LIVES"] ?? countOf({ whole: 10_000, usual: 30 }));
/** Ten times what a life takes on a quiet machine. */
const LIFE_LIMIT_MS = 500;

/** A renewal that is charged, so that each run has some. */
const RENEWED: Act[] = [
  { kind: "buy", who: 0, points: 0, renews: true, fee: 176 },
  { kind: "renewal_time", who: 0, isConfirmed: true },
  { kind: "warning", payment: 0 },
  { kind: "renewal_time", who: 0, isConfirmed: true },
];

type Row = Record<string, unknown>;

/** The lines of days that are closed, which must stay as they are. */
function closedLines({ at }: MoneyLife): Row[] {
  return at.rows(
    `SELECT * FROM journal WHERE day <= (SELECT max(day) FROM journal_days) ORDER BY entry, account, unit`,
  );
}

async function expectBalanced(life: MoneyLife): Promise<void> {
  const { at } = life;
  // Debits equal credits, and the ledgers say the same as the journal.
  expect(await compareLedgers(at.checkout.db)).toEqual([]);
  const held = Object.fromEntries(
    at
      .rows(`SELECT account, sum(amount) AS cents FROM journal WHERE unit = 'USD' GROUP BY account`)
      .map(({ account, cents }) => [account, cents]),
  );
  expect(held["stripe"] ?? 0).toBe(life.stripe.balance);
  expect(held["disputes_held"] ?? 0).toBe(life.stripe.held);
}

it(
  "balances after every act of money, days and points, never changes a closed day, and charges nobody against their will",
  async () => {
    let charges = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 14 }), async (acts) => {
        const life = new MoneyLife();
        for (const one of acts) {
          const closed = closedLines(life);
          await life.run(one);
          await expectBalanced(life);
          const now = new Map(closedLines(life).map((line) => [keyOf(line), line]));
          for (const line of closed) expect(now.get(keyOf(line))).toEqual(line);
        }
        charges += life.charges;
        // Its memory is SQLite's own: the collector, which doesn't see it, would let ten thousand lie.
        life.at.database.close();
      }),
      { ...draws({ whole: LIVES, usual: LIVES, few: LIVES }), examples: [[RENEWED]] },
    );
    expect(charges).toBeGreaterThan(0);
  },
  Math.max(120_000, LIVES * LIFE_LIMIT_MS),
);

function keyOf({ entry, account, unit }: Row): string {
  return `${String(entry)} ${String(account)} ${String(unit)}`;
}
