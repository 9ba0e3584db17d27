import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Alarm } from "./alarm.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Machine } from "./machine.ts";
import type { Maintenance } from "./maintenance.ts";

/**
 * Below this interval, one alarm per poll costs more than staying awake: an alarm is billed as a request ($0.15/M)
 * and a written row ($1.00/M), awake time by duration ($12.50/M GB-s at 128 MB). They break even at about 850 ms.
 */
const MIN_ALARM_INTERVAL_MS = 850;
/**
 * How long one alarm keeps polling in memory. Each window ends with a write (`setAlarm`): without one, an object
 * that the runtime has replaced may not notice.
 */
const AWAKE_WINDOW_MS = 30_000;

type AlarmLoopDeps = {
  deps: Deps;
  machine: Machine;
  loop: EventLoop;
  alarm: Alarm;
  maintenance: Maintenance;
};

/** The object's run when its alarm fires. */
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

  /**
   * Never throws: the runtime retries an alarm handler that throws after about 2, 4, 9, 17, 34 and 65 s, and then
   * never again.
   */
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

  /**
   * One poll, or several within an awake window: if they are too close together for an alarm each, or while an
   * accept is in flight, since no other alarm can fire until this one returns. A call that is still in flight at the end
   * of the window finishes under the next alarm, which is due at once.
   */
  async #run(): Promise<void> {
    const { now } = this.#deps;
    const windowEnd = now() + AWAKE_WINDOW_MS;
    do {
      this.#loop.dispatch({ kind: "woke" });
      let at = this.#machine.nextWakeAt();
      do {
        const isFar = at === null || at - now() >= MIN_ALARM_INTERVAL_MS || at >= windowEnd;
        if (isFar && !this.#loop.isBusy) return;
        await this.#loop.waitForChange(at);
        this.#maintenance.start();
        at = this.#machine.nextWakeAt();
      } while (at === null || at > now());
    } while (now() < windowEnd);
  }
}
