import type { EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import type { Machine } from "./machine.ts";
import type { Store } from "./storage/store.ts";

/** What is due in the outbox is on its way already: the alarm is for what did not get there within this. */
const OUTBOX_GRACE_MS = 1_000;

type AlarmDeps = { deps: Deps; storage: DurableObjectStorage; store: Store; machine: Machine };

/** The object's one alarm. It rings when the machine or the outbox next has something to do. */
export class Alarm {
  readonly #deps: Deps;
  readonly #storage: DurableObjectStorage;
  readonly #store: Store;
  readonly #machine: Machine;
  #isHeld = false;

  constructor({ deps, storage, store, machine }: AlarmDeps) {
    this.#deps = deps;
    this.#storage = storage;
    this.#store = store;
    this.#machine = machine;
  }

  /** When the object wakes next; null where it waits for nothing. */
  nextAt(): EpochMs | null {
    const outboxAt = this.#store.outbox.nextAt();
    const times = [
      this.#machine.nextWakeAt(),
      outboxAt === null ? null : Math.max(outboxAt, this.#deps.now() + OUTBOX_GRACE_MS),
    ].filter((at) => at !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** Sets the alarm to what is due next, unless whoever holds it will. */
  async set(): Promise<void> {
    if (this.#isHeld) return;
    const at = this.nextAt();
    if (at === null) await this.#storage.deleteAlarm();
    else await this.#storage.setAlarm(at);
  }

  /**
   * Runs what an alarm rang for, and sets the next one when that is done. Set earlier, it would take
   * the place of the runtime's own retry, and a crash in between would lose the whole run.
   */
  async during(run: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      await run();
    } finally {
      this.#isHeld = false;
      await this.set();
    }
  }
}
