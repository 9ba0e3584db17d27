import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Alarm } from "./alarm.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Machine } from "./machine.ts";
import type { Maintenance } from "./maintenance.ts";

/** Below this a poll of its own alarm costs more (requests and row writes) than a window that stays awake. */
const MIN_ALARM_INTERVAL_MS = 850;
const AWAKE_WINDOW_MS = 30_000;

type AlarmLoopDeps = {
  deps: Deps;
  machine: Machine;
  loop: EventLoop;
  alarm: Alarm;
  maintenance: Maintenance;
};

/** What the object does when its alarm rings. */
export class AlarmLoop {
  readonly #deps: Deps;
  readonly #machine: Machine;
  readonly #loop: EventLoop;
  readonly #alarm: Alarm;
  readonly #maintenance: Maintenance;
  #running: Promise<void> | null = null;

  constructor({ deps, machine, loop, alarm, maintenance }: AlarmLoopDeps) {
    this.#deps = deps;
    this.#machine = machine;
    this.#loop = loop;
    this.#alarm = alarm;
    this.#maintenance = maintenance;
  }

  /** Never throws: an alarm that failed six times would never ring again. */
  runOnce(): Promise<void> {
    this.#running ??= this.#alarm
      .during(() => this.#run())
      .catch((error: unknown) => {
        const driverId = this.#machine.owner?.driverId ?? null;
        this.#deps.log("error", "capture.alarm.failed", { driverId, ...describeError(error) });
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** One poll, or a window of them where they are too close for an alarm each. */
  async #run(): Promise<void> {
    const { now, sleep } = this.#deps;
    const windowEnd = now() + AWAKE_WINDOW_MS;
    for (;;) {
      await this.#loop.settle({ kind: "woke" });
      const at = this.#machine.nextWakeAt();
      if (at === null || at - now() >= MIN_ALARM_INTERVAL_MS || at >= windowEnd) return;
      await sleep(Math.max(0, at - now()));
      this.#maintenance.start();
    }
  }
}
