import { nextWakeAt } from "../engine/machine.ts";
import type { StepContext } from "../engine/types.ts";
import { MINUTE_MS, type EpochMs } from "../engine/units.ts";
import { errorName } from "../log.ts";
import type { Core } from "./core.ts";

/** Below this a poll of its own alarm costs more than a window that stays awake (platform-facts.md). */
const SHORTEST_ALARM_MS = 850;
const WINDOW_MS = 30_000;
/** So long a round of housekeeping may take before an alarm looks after the outbox. */
const OUTBOX_LOOK_MS = 1_000;
/** How often the platform is asked whether it still wants the driver in person. */
const VERIFICATION_EVERY_MS = MINUTE_MS;

type Parts = Core & {
  storage: DurableObjectStorage;
  context: () => StepContext;
  /** Asks the platform whether the driver has shown themselves. */
  askVerification: () => Promise<void>;
  /** Between two polls of a window. */
  keepHouse: () => void;
};

/** The object's alarm, and what it does when that rings. */
export class Turns {
  readonly #parts: Parts;
  #turn: Promise<void> | null = null;
  #verificationAskedAt: EpochMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Never throws: after six failures an alarm would never ring again. Arms last: armed early, a crash loses the window. */
  async take(): Promise<void> {
    const { deps, owner } = this.#parts;
    try {
      this.#turn ??= this.#run();
      await this.#turn;
    } catch (error) {
      deps.log("error", "capture.turn.failed", {
        driverId: owner()?.driverId ?? null,
        error: errorName(error),
      });
    } finally {
      this.#turn = null;
      await this.arm();
    }
  }

  /** Rings when the machine or the outbox next has something to do. A turn under way arms for itself. */
  async arm(): Promise<void> {
    if (this.#turn) return;
    const { storage } = this.#parts;
    const at = this.nextAt();
    if (at === null) await storage.deleteAlarm();
    else await storage.setAlarm(at);
  }

  /** When the object wakes next; null where it waits for nothing. */
  nextAt(): EpochMs | null {
    const { deps, store, state, context } = this.#parts;
    const { verification, profile } = state();
    const isWaiting = verification !== null && profile?.switchedOn === true;
    const outboxAt = store.outbox.nextAt();
    const times = [
      nextWakeAt(state(), context()),
      // What is due is on its way already; the alarm is for what did not get there.
      outboxAt === null ? null : Math.max(outboxAt, deps.now() + OUTBOX_LOOK_MS),
      isWaiting ? this.#verificationAskedAt + VERIFICATION_EVERY_MS : null,
    ].filter((at) => at !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** One poll, or a window of them where they are too close for an alarm each. */
  async #run(): Promise<void> {
    const { deps, state, context, apply, askVerification, keepHouse } = this.#parts;
    const { now, sleep } = deps;
    const windowEnd = now() + WINDOW_MS;
    if (state().verification) {
      this.#verificationAskedAt = now();
      await askVerification();
    }
    for (;;) {
      await apply({ kind: "woke" });
      const at = nextWakeAt(state(), context());
      if (at === null || at - now() >= SHORTEST_ALARM_MS || at >= windowEnd) return;
      await sleep(Math.max(0, at - now()));
      keepHouse();
    }
  }
}
