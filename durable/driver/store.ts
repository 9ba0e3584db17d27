import type { LogEvent } from "../engine/types.ts";
import { migrate } from "./schema.ts";
import { BrowserTable } from "./tables/browsers.ts";
import { EventTable, type EventRow } from "./tables/events.ts";
import { OutboxTable } from "./tables/outbox.ts";
import { StateTable } from "./tables/state.ts";
import { TicketTable } from "./tables/tickets.ts";

/** The object's SQLite: rows in, parsed values out. Every method of a table is synchronous, so what stands between two awaits is one transaction. */
export class Store {
  readonly #storage: DurableObjectStorage;
  readonly state: StateTable;
  readonly events: EventTable;
  readonly outbox: OutboxTable;
  readonly browsers: BrowserTable;
  readonly tickets: TicketTable;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    migrate(storage);
    this.state = new StateTable(storage.sql);
    this.events = new EventTable(storage.sql);
    this.outbox = new OutboxTable(storage.sql);
    this.browsers = new BrowserTable(storage.sql);
    this.tickets = new TicketTable(storage.sql);
  }

  /** Leaves nothing, and is ready for whoever comes again. */
  async wipe(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    migrate(this.#storage);
  }

  /** Appends to the log, and answers each event with its place; the attempts that it settles are closed with it. */
  append(events: readonly LogEvent[]): EventRow[] {
    const rows = this.events.append(events);
    for (const event of events) {
      if (event.kind === "attempt_settled") this.state.closeAttempt(event.attempt);
    }
    return rows;
  }
}
