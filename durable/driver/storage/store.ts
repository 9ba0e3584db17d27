import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { DriverState } from "../../engine/types.ts";
import type { Log } from "../../runtime/log.ts";
import { replaceLostFields } from "./lost-fields.ts";
import { migrate } from "./migrations.ts";
import { AttemptTable } from "./tables/attempts.ts";
import { EventTable } from "./tables/events.ts";
import { OutboxTable } from "./tables/outbox.ts";
import { PushSubscriptionTable } from "./tables/push-subscriptions.ts";
import { StateTable } from "./tables/state.ts";
import { UnreadableRows } from "./tables/unreadable-rows.ts";
import { UsedTicketTable } from "./tables/used-tickets.ts";
import { VerdictTable } from "./tables/verdicts.ts";

/** How long the log is kept: the lists of passed-over and lost offers reach back so far. */
const LOG_RETENTION_MS = 30 * DAY_MS;

type StoreDeps = { log: Log; now: () => EpochMs; objectName: string | null };

/**
 * The object's SQLite: rows in, parsed values out. Every method of a table is synchronous, so what stands
 * between two awaits is one transaction. Rows outlive their code: each carries the version of its shape,
 * and one that can't be read is set aside and throws nothing.
 */
export class Store {
  readonly #storage: DurableObjectStorage;
  readonly #now: () => EpochMs;
  readonly #attempts: AttemptTable;
  readonly #verdicts: VerdictTable;
  readonly state: StateTable;
  readonly events: EventTable;
  readonly outbox: OutboxTable;
  readonly pushSubscriptions: PushSubscriptionTable;
  readonly tickets: UsedTicketTable;
  readonly unreadable: UnreadableRows;

  constructor(storage: DurableObjectStorage, deps: StoreDeps) {
    this.#storage = storage;
    this.#now = deps.now;
    migrate(storage);
    this.unreadable = new UnreadableRows(storage.sql, deps);
    this.#attempts = new AttemptTable(storage.sql, this.unreadable);
    this.#verdicts = new VerdictTable(storage.sql, this.unreadable);
    this.state = new StateTable(storage.sql, this.unreadable);
    this.events = new EventTable(storage.sql, this.unreadable);
    this.outbox = new OutboxTable(storage.sql, this.unreadable);
    this.pushSubscriptions = new PushSubscriptionTable(storage.sql, this.unreadable);
    this.tickets = new UsedTicketTable(storage.sql);
  }

  /** The machine as it was last saved over `initial`, with its `transient` part as a restart leaves it. */
  load(initial: DriverState): DriverState {
    const { fields, lost } = this.state.load();
    const saved = {
      ...initial,
      ...fields,
      verdicts: this.#verdicts.load(),
      openAttempts: this.#attempts.load(),
    };
    const now = this.#now();
    const state = replaceLostFields(saved, { lost, freshKeyPrefix: initial.keyPrefix, now });
    this.save(saved, state);
    // As where the platform signs a driver out: D1's record says so, too.
    if (state.link !== saved.link)
      this.outbox.add({ kind: "record_changed", change: { proxyInstalled: false } }, now);
    return state;
  }

  /** Writes what differs between two states, by reference: an idle poll writes nothing. */
  save(before: DriverState, after: DriverState): void {
    this.state.save(before, after);
    if (before.verdicts !== after.verdicts) this.#verdicts.save(before.verdicts, after.verdicts);
    if (before.openAttempts !== after.openAttempts)
      this.#attempts.save(before.openAttempts, after.openAttempts);
  }

  /** Drops what is older than the log is kept. */
  prune(now: EpochMs): void {
    this.events.prune(now - LOG_RETENTION_MS);
    this.unreadable.prune(now - LOG_RETENTION_MS);
    this.#attempts.prune();
  }

  /** Leaves nothing, and is ready for whoever comes again. */
  async reset(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    this.state.forget();
    migrate(this.#storage);
  }
}
