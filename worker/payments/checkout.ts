import type { Db } from "../../db/client.ts";
import type { Env } from "../../durable/runtime/env.ts";
import type { Deps } from "../../durable/deps.ts";
import type { CardProcessor } from "./stripe/card-processor.ts";
import { createCardProcessor } from "./stripe/stripe.ts";

/** What taking payments needs. */
export type CheckoutContext = {
  env: Pick<Env, "DRIVER">;
  deps: Deps;
  /** A D1 session where a driver waits for the response, so that they read their own writes; else D1 itself. */
  db: Db;
  /** Null where no card can be charged. */
  cards: CardProcessor | null;
};

/** A checkout that can charge cards. */
export type CardCheckoutContext = CheckoutContext & { cards: CardProcessor };

export function createCheckoutContext({ env, deps, db }: Omit<CheckoutContext, "cards">): CheckoutContext {
  return { env, deps, db, cards: createCardProcessor(deps) };
}
