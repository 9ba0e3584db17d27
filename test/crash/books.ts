import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDeps } from "../../durable/deps.ts";
import { reconcileBooks } from "../../worker/payments/books/reconcile-books.ts";
import { createCheckoutContext } from "../../worker/payments/checkout.ts";
import { judgeBalances, judgeBooks, readBalances } from "../payments/books-judge.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const DAY_MS = 86_400_000;
const never = () => {
  throw new Error("the judge asks no object");
};

/** A copy of a product's database, as its file is at this instant. */
export class BooksCopy {
  readonly #folder = mkdtempSync(`${tmpdir()}/jornada-books-`);
  readonly #database: DatabaseSync;

  constructor(databases: string) {
    const name = readdirSync(databases).find((file) => /^[0-9a-f]{64}\.sqlite$/.test(file));
    if (!name) throw new Error(`no database in ${databases}`);
    for (const file of readdirSync(databases).filter((one) => one.startsWith(name)))
      cpSync(join(databases, file), join(this.#folder, file));
    this.#database = new DatabaseSync(join(this.#folder, name));
  }

  readonly #rows = (query: string, ...params: string[]) => this.#database.prepare(query).all(...params);

  /** How many payments are settled, and how many entries are booked. */
  count(): { settled: number; entries: number } {
    const [row] = this.#rows(
      `SELECT (SELECT count(*) FROM payments WHERE settled_at IS NOT NULL) AS settled,
        (SELECT count(DISTINCT entry) FROM journal) AS entries`,
    );
    return { settled: Number(row?.["settled"]), entries: Number(row?.["entries"]) };
  }

  /** Breaks of what holds at every instant. */
  judge(): string[] {
    return judgeBooks(this.#rows);
  }

  /** Differences between Stripe's books and ours, once all that happened is known. */
  async compare(stripeUrl: string): Promise<string[]> {
    const env = { ...DEMO_SETTINGS, STRIPE_URL: stripeUrl, DB: bindD1(this.#database) };
    const deps = createDeps({ ...env, DRIVER: { getByName: never }, ASSETS: {} } as never);
    const { cards, db } = createCheckoutContext({ deps, db: deps.db });
    if (!cards) throw new Error("there are no keys");
    const now = Date.now();
    const span = { from: now - DAY_MS, to: now + DAY_MS };
    const { differences } = await reconcileBooks({ db, fetchBooks: cards.fetchBooks }, span);
    const balances = await readBalances(stripeUrl, DEMO_SETTINGS.STRIPE_SECRET_KEY);
    return [
      ...judgeBalances(this.#rows, balances),
      ...differences.map((difference) => JSON.stringify(difference)),
    ];
  }

  dispose(): void {
    this.#database.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
