import { DurableObject } from "cloudflare:workers";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { describeErrorsOf, describeError } from "../runtime/describe-error.ts";
import type { Env, TickedObject, TickRpc } from "../runtime/env.ts";
import { log } from "../runtime/log.ts";
import { MAX_TICKED, TickList } from "./tick-list.ts";

/**
 * How long one alarm stays awake, and how many objects it calls at most: an invocation of the runtime may call 1,000
 * others.
 */
const WINDOW_MS = 30_000;
const CALLS_PER_WINDOW = 800;
/** While all calls are under way, the next window looks again after so long. */
const IDLE_MS = 1_000;

/**
 * Calls a part of the drivers' objects when their next poll is due, which costs an eighth of an alarm of their own each
 * time. It is awake while one of them polls. Its alarm is set only as a window ends, so that the runtime repeats it
 * after a crash.
 */
export class Tick extends DurableObject<Env> implements TickRpc {
  static {
    describeErrorsOf(this.prototype);
  }

  readonly #list: TickList;
  #isAwake = false;
  #alarmAt: EpochMs | null = null;
  /** The open window waits until then; an earlier call stops it. */
  #waiting: { until: EpochMs; stop: () => void } | null = null;
  #saidFullAt: EpochMs = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#list = new TickList(ctx.storage.sql, { now: Date.now(), roll: Math.random });
  }

  async due({ objectName, at }: TickedObject): Promise<boolean> {
    if (!this.#list.add(objectName, at)) {
      this.#sayFull();
      return false;
    }
    await this.#wakeBy(at);
    return true;
  }

  /** Never throws: the runtime gives up on an alarm that does. */
  override async alarm(): Promise<void> {
    this.#isAwake = true;
    try {
      await this.#run(Date.now() + WINDOW_MS);
    } catch (error) {
      log("error", "ticker.failed", describeError(error));
    } finally {
      this.#isAwake = false;
      this.#alarmAt = null;
      await this.#arm();
    }
  }

  async #run(end: EpochMs): Promise<void> {
    let left = CALLS_PER_WINDOW;
    while (!this.#list.isEmpty && left > 0 && Date.now() < end) {
      const due = this.#list.take(Date.now(), left);
      left -= due.length;
      // Not awaited: a platform that is slow for one driver delays no other.
      for (const objectName of due) this.ctx.waitUntil(this.#call(objectName));
      if (left > 0) await this.#waitUntil(Math.min(this.#list.nextAt() ?? end, end));
    }
  }

  /** Never throws. */
  async #call(objectName: string): Promise<void> {
    let next: EpochMs | null;
    try {
      const at = await this.env.DRIVER.getByName(objectName).tick(this.ctx.id.name ?? "");
      next = this.#list.answered(objectName, at ?? null);
    } catch (error) {
      next = this.#list.failed(objectName, Date.now());
      if (next === null) log("warn", "ticker.call.failed", describeError(error));
    }
    await this.#wakeBy(next);
  }

  /** An open window calls by then. Without one the alarm opens the next. */
  async #wakeBy(at: EpochMs | null): Promise<void> {
    const isEarlier = at !== null && this.#waiting !== null && at < this.#waiting.until;
    if (isEarlier || this.#list.isEmpty) this.#waiting?.stop();
    await this.#arm();
  }

  /** Sets the alarm for the next call, unless a window is open, which does so at its end, or an earlier one is set. */
  async #arm(): Promise<void> {
    if (this.#isAwake || this.#list.isEmpty) return;
    const now = Date.now();
    const at = Math.max(now, this.#list.nextAt() ?? now + IDLE_MS);
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    await this.ctx.storage.setAlarm(at);
  }

  async #waitUntil(until: EpochMs): Promise<void> {
    const ms = until - Date.now();
    if (ms <= 0) return;
    const elapsed = Promise.withResolvers<void>();
    const timer = setTimeout(elapsed.resolve, ms);
    this.#waiting = { until, stop: elapsed.resolve };
    await elapsed.promise;
    this.#waiting = null;
    clearTimeout(timer);
  }

  /** Once a minute: each object that is left out asks from time to time. */
  #sayFull(): void {
    const now = Date.now();
    if (now - this.#saidFullAt < MINUTE_MS) return;
    this.#saidFullAt = now;
    log("warn", "ticker.full", { objects: MAX_TICKED });
  }
}
