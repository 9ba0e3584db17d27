import { versionOf } from "../../../../db/shapes/versioned.ts";
import type { EpochMs } from "../../../../db/shapes/units.ts";
import type { AnnouncementPushes } from "../../../../db/shapes/announcement.ts";
import { storedRows, type StoredSubscription } from "../stored-shapes.ts";
import type { StateTable } from "./state.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

/** Subscriptions per driver; the newest are kept. */
const MAX_SUBSCRIPTIONS = 10;

type SubscriptionRow = StoredRow & { id: number };

/** The push subscriptions of the driver's browsers. A push service takes messages by the key of its subscription alone. */
export class PushSubscriptionTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  readonly #state: Pick<StateTable, "pushLostAt" | "write">;
  readonly #vapidKey: string | null;

  constructor(
    sql: SqlStorage,
    unreadable: UnreadableRows,
    { state, vapidKey }: { state: Pick<StateTable, "pushLostAt" | "write">; vapidKey: string | null },
  ) {
    this.#sql = sql;
    this.#unreadable = unreadable;
    this.#state = state;
    this.#vapidKey = vapidKey;
  }

  /** Adds a subscription for today's key. Beyond the limit, the oldest is removed, and so are those of former keys. */
  add(subscription: StoredSubscription): void {
    this.remove(subscription.endpoint);
    for (const row of this.#rows()) {
      const former = this.#read(row);
      if (former && !this.#isOfToday(former)) this.remove(former.endpoint);
    }
    this.#sql.exec(
      `INSERT INTO push_subscriptions (endpoint, value, version) VALUES (?, ?, ?)`,
      subscription.endpoint,
      this.#toValue(subscription),
      versionOf(storedRows.pushSubscription),
    );
    this.#sql.exec(
      `DELETE FROM push_subscriptions WHERE id NOT IN (SELECT id FROM push_subscriptions ORDER BY id DESC LIMIT ?)`,
      MAX_SUBSCRIPTIONS,
    );
    if (this.#state.pushLostAt() !== null) this.#state.write("pushLostAt", null);
  }

  /** Removes one that its push service no longer knows: nobody has asked for that. */
  lose(endpoint: string, now: EpochMs): void {
    this.remove(endpoint);
    this.#state.write("pushLostAt", now);
  }

  remove(endpoint: string): void {
    this.#sql.exec(`DELETE FROM push_subscriptions WHERE endpoint = ?`, endpoint);
  }

  /** A push service took a message of today's key for it: a former release didn't note which it was made for. */
  confirm(subscription: StoredSubscription): void {
    if (this.#vapidKey === null || subscription.vapidKey !== undefined) return;
    this.#sql.exec(
      `UPDATE push_subscriptions SET value = ?, version = ? WHERE endpoint = ?`,
      this.#toValue(subscription),
      versionOf(storedRows.pushSubscription),
      subscription.endpoint,
    );
  }

  /**
   * Those whose sign-in lasts, of today's key. Others are removed, but those of former keys: they are back where the keys
   * were changed by mistake.
   */
  list(now: EpochMs): StoredSubscription[] {
    const all = this.#all(now);
    const heard = all.filter((one) => this.#isOfToday(one));
    const areLost = heard.length === 0 && all.length > 0;
    if (areLost && this.#state.pushLostAt() === null) this.#state.write("pushLostAt", now);
    return heard;
  }

  /** Removes those of all sign-ins but these. */
  keepSessions(live: readonly string[], now: EpochMs): void {
    for (const { endpoint, session } of this.#all(now))
      if (session === null || !live.includes(session.id)) this.remove(endpoint);
  }

  find(endpoint: string, now: EpochMs): StoredSubscription | null {
    const [row] = this.#sql
      .exec<SubscriptionRow>(`SELECT id, value, version FROM push_subscriptions WHERE endpoint = ?`, endpoint)
      .toArray();
    const found = row ? this.#parse(row, now) : null;
    return found && this.#isOfToday(found) ? found : null;
  }

  #toValue(subscription: StoredSubscription): string {
    return JSON.stringify({ ...subscription, vapidKey: this.#vapidKey ?? undefined });
  }

  #isOfToday({ vapidKey }: StoredSubscription): boolean {
    return this.#vapidKey === null || vapidKey === undefined || vapidKey === this.#vapidKey;
  }

  #rows(): SubscriptionRow[] {
    return this.#sql
      .exec<SubscriptionRow>(`SELECT id, value, version FROM push_subscriptions ORDER BY id`)
      .toArray();
  }

  #all(now: EpochMs): StoredSubscription[] {
    return this.#rows().flatMap((row) => this.#parse(row, now) ?? []);
  }

  #read(row: SubscriptionRow): StoredSubscription | null {
    const place = { table: "push_subscriptions", key: row.id };
    return this.#unreadable.parse(storedRows.pushSubscription, row, place)?.value ?? null;
  }

  /** Removes a malformed subscription, since nothing can be sent to it. The browser can subscribe again. */
  #parse(row: SubscriptionRow, now: EpochMs): StoredSubscription | null {
    const found = this.#read(row);
    if (found && (found.session === null || found.session.expiresAt > now)) return found;
    if (found) this.#state.write("pushLostAt", now);
    this.#sql.exec(`DELETE FROM push_subscriptions WHERE id = ?`, row.id);
    return null;
  }
}

/** How the pushes of each announcement fare. One that a crash interrupts in the instant of sending stays pending. */
export class AnnouncementPushTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Notes that an announcement goes to so many browsers. */
  begin(id: string, queued: number, now: EpochMs): void {
    this.#sql.exec(
      `INSERT INTO announcement_pushes (id, queued, sent, failed, at) VALUES (?, ?, 0, 0, ?) ON CONFLICT DO NOTHING`,
      id,
      queued,
      now,
    );
  }

  /** Counts a push that needs no further try. */
  end(id: string, isSent: boolean): void {
    const column = isSent ? "sent" : "failed";
    this.#sql.exec(`UPDATE announcement_pushes SET ${column} = ${column} + 1 WHERE id = ?`, id);
  }

  /** All zero for one that went to no browser. */
  of(id: string): AnnouncementPushes {
    const [row] = this.#sql
      .exec<{ queued: number; sent: number; failed: number }>(
        `SELECT queued, sent, failed FROM announcement_pushes WHERE id = ?`,
        id,
      )
      .toArray();
    if (!row) return { sent: 0, failed: 0, pending: 0 };
    const { queued, sent, failed } = row;
    return { sent, failed, pending: Math.max(0, queued - sent - failed) };
  }

  prune(before: EpochMs): void {
    this.#sql.exec(`DELETE FROM announcement_pushes WHERE at < ?`, before);
  }
}
