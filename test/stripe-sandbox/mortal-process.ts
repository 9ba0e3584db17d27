import { createDeps, type Deps } from "../../durable/deps.ts";
import { createCheckoutContext, type CardCheckoutContext } from "../../worker/payments/checkout.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import type { Checkout } from "../payments/checkout-harness.ts";

/**
 * The product's payments over a database that outlives them, until they die: after so many writes, to the database or to
 * Stripe, of which they no longer learn. Nothing that they still try happens.
 */
export class MortalProcess {
  readonly checkout: CardCheckoutContext;
  readonly #at: Checkout;
  readonly #death: Promise<"killed">;
  #die: () => void = () => {};
  #writesLeft: number;
  #isDead = false;

  constructor({ at, writes }: { at: Checkout; writes: number }) {
    this.#at = at;
    this.#writesLeft = writes;
    this.#death = new Promise((resolve) => {
      this.#die = () => {
        this.#isDead = true;
        resolve("killed");
      };
    });
    const database = bindD1(at.database, async (work) => this.#query(work));
    const { send, ...deps } = createDeps({ ...at.env, DB: database });
    const mortal: Deps = {
      ...deps,
      now: () => at.clock.now,
      log: at.log,
      send: (request) => this.#send(() => send(request), request.method),
    };
    const { cards, ...rest } = createCheckoutContext({ deps: mortal, db: mortal.db });
    if (!cards) throw new Error("there are no keys");
    this.checkout = { ...rest, cards };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Runs until it is done, or until the process dies in it. A dead process does nothing. */
  async run<Result>(work: (checkout: CardCheckoutContext) => Promise<Result>): Promise<Result | "killed"> {
    if (this.#isDead) return "killed";
    const outcome = work(this.checkout);
    outcome.catch(() => {});
    return Promise.race([outcome, this.#death]);
  }

  #query<Result>(work: () => Result): Result | Promise<never> {
    if (this.#isDead) return never();
    const before = this.#changes();
    const result = work();
    return this.#changes() > before && this.#isLastWrite() ? never() : result;
  }

  async #send(work: () => Promise<Response>, method: string): Promise<Response> {
    if (this.#isDead) return never();
    const response = await work();
    return method !== "GET" && this.#isLastWrite() ? never() : response;
  }

  #isLastWrite(): boolean {
    this.#writesLeft -= 1;
    if (this.#writesLeft >= 0) return false;
    this.#die();
    return true;
  }

  #changes(): number {
    return Number(this.#at.rows(`SELECT total_changes() AS count`)[0]?.["count"]);
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
