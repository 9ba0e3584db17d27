import { versionOf } from "../../../../db/shapes/versioned.ts";
import type { PushSubscription } from "../../../push/push.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

/** Subscriptions per driver; the newest are kept. */
const MAX_SUBSCRIPTIONS = 10;

type SubscriptionRow = StoredRow & { id: number };

/** The push subscriptions of the driver's browsers. */
export class PushSubscriptionTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Adds a subscription. Beyond the limit, the oldest is removed. */
  add(subscription: PushSubscription): void {
    this.remove(subscription.endpoint);
    this.#sql.exec(
      `INSERT INTO push_subscriptions (endpoint, value, version) VALUES (?, ?, ?)`,
      subscription.endpoint,
      JSON.stringify(subscription),
      versionOf(storedRows.pushSubscription),
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
      .exec<SubscriptionRow>(`SELECT id, value, version FROM push_subscriptions ORDER BY id`)
      .toArray()
      .flatMap((row) => this.#parse(row) ?? []);
  }

  find(endpoint: string): PushSubscription | null {
    const [row] = this.#sql
      .exec<SubscriptionRow>(`SELECT id, value, version FROM push_subscriptions WHERE endpoint = ?`, endpoint)
      .toArray();
    return row ? this.#parse(row) : null;
  }

  /** Removes a malformed subscription, since nothing can be sent to it. The browser can subscribe again. */
  #parse(row: SubscriptionRow): PushSubscription | null {
    const place = { table: "push_subscriptions", key: row.id };
    const found = this.#unreadable.parse(storedRows.pushSubscription, row, place);
    if (!found) this.#sql.exec(`DELETE FROM push_subscriptions WHERE id = ?`, row.id);
    return found?.value ?? null;
  }
}
