import { nextWakeAt } from "../engine/machine.ts";
import type { StepContext } from "../engine/types.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { DriverContext } from "./driver-context.ts";

/** Below this a poll of its own alarm costs more than a window that stays awake (platform-facts.md). */
const MIN_ALARM_INTERVAL_MS = 850;
const AWAKE_WINDOW_MS = 30_000;
/** So long a round of housekeeping may take before an alarm looks after the outbox. */
const OUTBOX_GRACE_MS = 1_000;
/** How often the platform is asked whether it still wants the driver in person. */
const VERIFICATION_INTERVAL_MS = MINUTE_MS;

type AlarmLoopDeps = DriverContext & {
  storage: DurableObjectStorage;
  context: () => StepContext;
  /** Asks the platform whether the driver has shown themselves. */
  checkVerification: () => Promise<void>;
  /** Between two polls of a window. */
  maintain: () => void;
};

/** The object's alarm, and what it does when that rings. */
export class AlarmLoop {
  readonly #deps: AlarmLoopDeps;
  #running: Promise<void> | null = null;
  #verificationCheckedAt: EpochMs = 0;

  constructor(parts: AlarmLoopDeps) {
    this.#deps = parts;
  }

  /** Never throws: after six failures an alarm would never ring again. Arms last: armed early, a crash loses the window. */
  async runOnce(): Promise<void> {
    const { deps, owner } = this.#deps;
    try {
      this.#running ??= this.#run();
      await this.#running;
    } catch (error) {
      deps.log("error", "capture.turn.failed", {
        driverId: owner()?.driverId ?? null,
        ...describeError(error),
      });
    } finally {
      this.#running = null;
      await this.arm();
    }
  }

  /** Rings when the machine or the outbox next has something to do. A turn under way arms for itself. */
  async arm(): Promise<void> {
    if (this.#running) return;
    const { storage } = this.#deps;
    const at = this.nextWakeAt();
    if (at === null) await storage.deleteAlarm();
    else await storage.setAlarm(at);
  }

  /** When the object wakes next; null where it waits for nothing. */
  nextWakeAt(): EpochMs | null {
    const { deps, store, state, context } = this.#deps;
    const { verification, profile } = state();
    const isWaiting = verification !== null && profile?.switchedOn === true;
    const outboxAt = store.outbox.nextAt();
    const times = [
      nextWakeAt(state(), context()),
      // What is due is on its way already; the alarm is for what did not get there.
      outboxAt === null ? null : Math.max(outboxAt, deps.now() + OUTBOX_GRACE_MS),
      isWaiting ? this.#verificationCheckedAt + VERIFICATION_INTERVAL_MS : null,
    ].filter((at) => at !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** One poll, or a window of them where they are too close for an alarm each. */
  async #run(): Promise<void> {
    const { deps, state, context, apply, checkVerification, maintain } = this.#deps;
    const { now, sleep } = deps;
    const windowEnd = now() + AWAKE_WINDOW_MS;
    if (state().verification) {
      this.#verificationCheckedAt = now();
      await checkVerification();
    }
    for (;;) {
      await apply({ kind: "woke" });
      const at = nextWakeAt(state(), context());
      if (at === null || at - now() >= MIN_ALARM_INTERVAL_MS || at >= windowEnd) return;
      await sleep(Math.max(0, at - now()));
      maintain();
    }
  }
}
