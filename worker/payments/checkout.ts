import type { Db } from "../../db/client.ts";
import type { Env } from "../../durable/runtime/env.ts";
import type { Deps } from "../../durable/deps.ts";
import { createCardProcessor, type CardProcessor } from "./stripe.ts";

/** What taking money needs. */
export type CheckoutContext = {
  env: Pick<Env, "DRIVER">;
  deps: Deps;
  /** A session where a driver waits for the answer, so that they see what was written; else D1 itself. */
  db: Db;
  /** Null where no card can be charged. */
  cards: CardProcessor | null;
};

/** A till at which cards can be charged. */
export type CardCheckoutContext = CheckoutContext & { cards: CardProcessor };

export function createCheckoutContext({ env, deps, db }: Omit<CheckoutContext, "cards">): CheckoutContext {
  return { env, deps, db, cards: createCardProcessor(deps) };
}
