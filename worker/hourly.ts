import type { Env } from "../durable/config.ts";
import { createDeps } from "../durable/deps.ts";
import { reconcile } from "./payments/reconcile.ts";
import { openTill } from "./payments/till.ts";

/** As it stands in wrangler.toml. */
export const HOURLY = "7 * * * *";

/** Every hour: our copies of payments against the card processor's. */
export async function hourly(env: Env): Promise<void> {
  const deps = createDeps(env);
  const till = openTill({ env, deps, db: deps.db });
  const { cards } = till;
  if (cards) await reconcile({ ...till, cards });
}
