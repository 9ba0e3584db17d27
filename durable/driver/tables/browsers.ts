import * as z from "zod/mini";
import type { PushSubscription } from "../../push/push.ts";
import { pushTarget } from "../stored.ts";

/** So many browsers listen for one driver; the newest are kept. */
const BROWSERS_KEPT = 10;

/** The browsers that listen for the driver. */
export class BrowserTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** A browser listens from now on; past the limit, the one that came longest ago does no more. */
  add(target: PushSubscription): void {
    this.drop(target.endpoint);
    this.#sql.exec(
      `INSERT INTO push_subscriptions (endpoint, value) VALUES (?, ?)`,
      target.endpoint,
      JSON.stringify(target),
    );
    this.#sql.exec(
      `DELETE FROM push_subscriptions WHERE id NOT IN (SELECT id FROM push_subscriptions ORDER BY id DESC LIMIT ?)`,
      BROWSERS_KEPT,
    );
  }

  drop(endpoint: string): void {
    this.#sql.exec(`DELETE FROM push_subscriptions WHERE endpoint = ?`, endpoint);
  }

  list(): PushSubscription[] {
    return this.#sql
      .exec<{ value: string }>(`SELECT value FROM push_subscriptions ORDER BY id`)
      .toArray()
      .map(parseTarget);
  }

  find(endpoint: string): PushSubscription | null {
    const [row] = this.#sql
      .exec<{ value: string }>(`SELECT value FROM push_subscriptions WHERE endpoint = ?`, endpoint)
      .toArray();
    return row ? parseTarget(row) : null;
  }
}

function parseTarget({ value }: { value: string }): PushSubscription {
  return z.parse(pushTarget, JSON.parse(value));
}
