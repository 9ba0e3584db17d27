import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import type { LostTimeKeeper } from "./logs/lost-time-keeper.ts";
import type { Machine } from "./machine.ts";
import type { ShiftChecks } from "./services/shift-checks.ts";
import type { LostDayMessage } from "./services/lost-day-message.ts";
import type { WeekMessage } from "./services/week-message.ts";
import type { Store } from "./storage/store.ts";
import { digestDueAt } from "./notify/text-queue.ts";
import type { TickerCalls } from "./ticker-calls.ts";

/** Due outbox rows are already being sent. The alarm covers those that are still there after this time. */
const OUTBOX_GRACE_MS = 1_000;

/**
 * If a ticker calls the object, its own alarm only guards against the ticker's end: it is set this long after the next call,
 * and again once it is nearer than the second figure. Each write is billed.
 */
const GUARD_MS = MINUTE_MS;
const GUARD_LEFT_MS = MINUTE_MS / 2;

type AlarmDeps = {
  deps: Deps;
  storage: DurableObjectStorage;
  store: Store;
  machine: Machine;
  ticker: TickerCalls;
  lostTime: Pick<LostTimeKeeper, "nextAt">;
  shiftChecks: Pick<ShiftChecks, "nextAt">;
  weekMessage: Pick<WeekMessage, "nextAt">;
  lostDayMessage: Pick<LostDayMessage, "nextAt">;
};

/**
 * The object's single alarm, set to the next time at which the machine, the outbox, the digest of texts, a day with lost time,
 * the driver's next shift, their weekly summary or a day that was given back has something to do. If that is soon and a ticker
 * calls the object, the alarm is set after it, but only by a run that the ticker called for, or after which it is known to
 * call. Any other run ends with an exact alarm, so that nothing depends on the ticker.
 */
export class Alarm {
  readonly #deps: Deps;
  readonly #storage: DurableObjectStorage;
  readonly #store: Store;
  readonly #machine: Machine;
  readonly #ticker: TickerCalls;
  readonly #lostTime: Pick<LostTimeKeeper, "nextAt">;
  readonly #shiftChecks: Pick<ShiftChecks, "nextAt">;
  readonly #weekMessage: Pick<WeekMessage, "nextAt">;
  readonly #lostDayMessage: Pick<LostDayMessage, "nextAt">;
  #isHeld = false;
  /** The alarm as this life of the object set it since it last fired: each write is billed. Undefined if it set none. */
  #setTo: EpochMs | null | undefined = undefined;

  constructor(parts: AlarmDeps) {
    const { deps, storage, store, machine, ticker, lostTime, shiftChecks, weekMessage, lostDayMessage } =
      parts;
    this.#deps = deps;
    this.#storage = storage;
    this.#store = store;
    this.#machine = machine;
    this.#ticker = ticker;
    this.#lostTime = lostTime;
    this.#shiftChecks = shiftChecks;
    this.#weekMessage = weekMessage;
    this.#lostDayMessage = lostDayMessage;
  }

  /** When the object must wake next; null if nothing is scheduled. */
  nextAt(): EpochMs | null {
    const { owner } = this.#machine;
    // Nothing is sent for a driver who is gone, or whom the object has lost.
    const toSend =
      owner === null
        ? []
        : [
            this.#store.outbox.nextAt(),
            digestDueAt(this.#store),
            this.#lostTime.nextAt(owner),
            this.#shiftChecks.nextAt(),
            this.#weekMessage.nextAt(),
            this.#lostDayMessage.nextAt(),
          ].filter((at) => at !== null);
    const times = [
      this.#machine.nextWakeAt(),
      ...toSend.map((at) => Math.max(at, this.#deps.now() + OUTBOX_GRACE_MS)),
    ].filter((at) => at !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** Whether the runtime has lost the alarm: there is something to do, but no alarm is set, or it is long overdue. */
  async isLost(): Promise<boolean> {
    if (this.#isHeld || this.nextAt() === null) return false;
    const at = await this.#storage.getAlarm();
    return at === null || at < this.#deps.now() - MINUTE_MS;
  }

  /** Sets the alarm to the next due time. Does nothing inside `during`, which sets it at the end. */
  async set(): Promise<void> {
    if (this.#isHeld) return;
    const next = this.nextAt();
    if (next === this.#setTo) return;
    if (next !== null && this.#ticker.covers(next)) {
      if (!this.#guards(next)) await this.#write(next + GUARD_MS);
      return;
    }
    await this.#write(next);
    if (next !== null) this.#ticker.ask(next);
  }

  async #write(at: EpochMs | null): Promise<void> {
    this.#setTo = at;
    try {
      if (at === null) await this.#storage.deleteAlarm();
      else await this.#storage.setAlarm(at);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  /** Whether the alarm that is set is far enough after the next call, but not too far. */
  #guards(next: EpochMs): boolean {
    if (this.#setTo === null || this.#setTo === undefined) return false;
    const left = this.#setTo - next;
    return left >= GUARD_LEFT_MS && left <= GUARD_MS;
  }

  /** The next `set` writes, whatever was set before: the storage was deleted, or the alarm has fired. */
  forget(): void {
    this.#setTo = undefined;
    this.#ticker.forget();
  }

  /**
   * Runs the alarm's work and sets the next alarm only when it is done. `setAlarm` inside a running handler
   * replaces the runtime's pending retry: set early, a crash during a 30 s window costs the rest of that window
   * (28 s measured); set last, the retry comes within 0.4 s.
   */
  async during(run: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    // The alarm has fired, unless the ticker called: then it is still set.
    if (!this.#ticker.isOpen) this.forget();
    try {
      await run();
    } finally {
      this.#isHeld = false;
      await this.set();
    }
  }
}
