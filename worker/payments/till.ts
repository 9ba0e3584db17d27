import type { Db } from "../../db/client.ts";
import type { Env } from "../../durable/config.ts";
import type { Deps } from "../../durable/deps.ts";
import { createCards, type Cards } from "./stripe.ts";

/** What taking money needs. */
export type Till = {
  env: Pick<Env, "DRIVER">;
  deps: Deps;
  /** A session where a driver waits for the answer, so that they see what was written; else D1 itself. */
  db: Db;
  /** Null where no card can be charged. */
  cards: Cards | null;
};

/** A till at which cards can be charged. */
export type CardTill = Till & { cards: Cards };

export function openTill({ env, deps, db }: Omit<Till, "cards">): Till {
  return { env, deps, db, cards: createCards(deps) };
}
