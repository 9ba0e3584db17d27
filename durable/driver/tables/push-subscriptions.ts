import * as z from "zod/mini";
import type { PushSubscription } from "../../push/push.ts";
import { storedPushSubscription } from "../stored-shapes.ts";

/** So many browsers listen for one driver; the newest are kept. */
const MAX_SUBSCRIPTIONS = 10;

/** The browsers that listen for the driver. */
export class PushSubscriptionTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** A browser listens from now on; past the limit, the one that came longest ago does no more. */
  add(subscription: PushSubscription): void {
    this.remove(subscription.endpoint);
    this.#sql.exec(
      `INSERT INTO push_subscriptions (endpoint, value) VALUES (?, ?)`,
      subscription.endpoint,
      JSON.stringify(subscription),
    );
    this.#sql.exec(
      `DELETE FROM push_subscriptions WHERE id NOT IN (SELECT id FROM push_subscriptions ORDER BY id DESC LIMIT ?)`,
      MAX_SUBSCRIPTIONS,
    );
  }

  remove(endpoint: string): void {
    this.#sql.exec(`DELETE FROM push_subscriptions WHERE endpoint = ?`, endpoint);
  }

  list(): PushSubscription[] {
    return this.#sql
      .exec<{ value: string }>(`SELECT value FROM push_subscriptions ORDER BY id`)
      .toArray()
      .map(parseSubscription);
  }

  find(endpoint: string): PushSubscription | null {
    const [row] = this.#sql
      .exec<{ value: string }>(`SELECT value FROM push_subscriptions WHERE endpoint = ?`, endpoint)
      .toArray();
    return row ? parseSubscription(row) : null;
  }
}

function parseSubscription({ value }: { value: string }): PushSubscription {
  return z.parse(storedPushSubscription, JSON.parse(value));
}
