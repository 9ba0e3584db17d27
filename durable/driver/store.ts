import type { LogEvent, LogEntry } from "../../db/shapes/driver-log.ts";
import { migrate } from "./migrations.ts";
import { PushSubscriptionTable } from "./tables/push-subscriptions.ts";
import { EventTable } from "./tables/events.ts";
import { OutboxTable } from "./tables/outbox.ts";
import { StateTable } from "./tables/state.ts";
import { UsedTicketTable } from "./tables/used-tickets.ts";

/** The object's SQLite: rows in, parsed values out. Every method of a table is synchronous, so what stands between two awaits is one transaction. */
export class Store {
  readonly #storage: DurableObjectStorage;
  readonly state: StateTable;
  readonly events: EventTable;
  readonly outbox: OutboxTable;
  readonly pushSubscriptions: PushSubscriptionTable;
  readonly tickets: UsedTicketTable;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    migrate(storage);
    this.state = new StateTable(storage.sql);
    this.events = new EventTable(storage.sql);
    this.outbox = new OutboxTable(storage.sql);
    this.pushSubscriptions = new PushSubscriptionTable(storage.sql);
    this.tickets = new UsedTicketTable(storage.sql);
  }

  /** Leaves nothing, and is ready for whoever comes again. */
  async reset(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    migrate(this.#storage);
  }

  /** Appends to the log, and answers each event with its place; the attempts that it settles are closed with it. */
  append(events: readonly LogEvent[]): LogEntry[] {
    const rows = this.events.append(events);
    for (const event of events) {
      if (event.kind === "attempt_settled") this.state.closeAttempt(event.attempt);
    }
    return rows;
  }
}
