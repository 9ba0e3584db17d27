import type { Db } from "../../db/client.ts";
import type { Deps } from "../../durable/deps.ts";
import type { CardProcessor } from "./stripe/card-processor.ts";
import { createCardProcessor } from "./stripe/stripe.ts";

/** The context for taking payments. */
export type CheckoutContext = {
  deps: Deps;
  /** A D1 session where a driver waits for the response, so that they read their own writes; else D1 itself. */
  db: Db;
  /** Null where no card can be charged. */
  cards: CardProcessor | null;
};

/** A checkout that can charge cards. */
export type CardCheckoutContext = CheckoutContext & { cards: CardProcessor };

export function createCheckoutContext({ deps, db }: Omit<CheckoutContext, "cards">): CheckoutContext {
  return { deps, db, cards: createCardProcessor(deps) };
}
