import type { MachineEvent, PlatformCall } from "../engine/state/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { LaneName } from "../runtime/lane.ts";
import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Alarm } from "./alarm.ts";
import type { Machine } from "./machine.ts";
import type { PlatformAccount } from "./platform-account.ts";
import { performCall } from "./platform-calls.ts";

type EventLoopDeps = { deps: Deps; machine: Machine; account: PlatformAccount; alarm: Alarm };

/**
 * Feeds events to the machine and performs the platform calls that it requests. Events are processed in order and
 * one at a time; the outcome of a call is another event. All writes of an event happen without an await between
 * them, so the storage commits them as one transaction. Its output gate holds a call back until they are durable:
 * an attempt is always stored before its accept leaves.
 */
export class EventLoop {
  readonly #deps: Deps;
  readonly #machine: Machine;
  readonly #account: PlatformAccount;
  readonly #alarm: Alarm;
  readonly #events: MachineEvent[] = [];
  readonly #calls = new Map<Promise<void>, PlatformCall["kind"]>();
  #change = Promise.withResolvers<void>();
  #isDraining = false;
  /** Outcomes of calls from an earlier generation are dropped. */
  #generation = 0;

  constructor({ deps, machine, account, alarm }: EventLoopDeps) {
    this.#deps = deps;
    this.#machine = machine;
    this.#account = account;
    this.#alarm = alarm;
  }

  dispatch(event: MachineEvent): void {
    this.#events.push(event);
    if (this.#isDraining) return;
    this.#isDraining = true;
    try {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) {
        for (const call of this.#machine.step(next)) this.#start(call);
      }
    } finally {
      this.#isDraining = false;
      this.#noteChange();
    }
  }

  /** Whether a call that the machine requested is in flight. */
  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** Waits for the next event, for the end of a call, or until an instant, whichever comes first. */
  async waitForChange(until: EpochMs | null): Promise<void> {
    const { now, sleep } = this.#deps;
    if (until === null) return this.#change.promise;
    const timer = new AbortController();
    await Promise.race([this.#change.promise, sleep(Math.max(0, until - now()), timer.signal)]);
    // With a reason of its own: the runtime would make an error with its stack, twice a poll.
    timer.abort("changed");
  }

  /** Dispatches the event and waits for the calls in flight, other than polls and accepts, which go on all the time. */
  async settle(event: MachineEvent): Promise<void> {
    this.dispatch(event);
    const awaited = [...this.#calls].filter(([, kind]) => kind !== "poll" && kind !== "accept");
    await Promise.all(awaited.map(([call]) => call));
  }

  /**
   * Makes a call that the machine did not request, such as earnings. If the platform asks us to wait, the machine is
   * notified, so that all other calls wait too.
   */
  async request<Result extends { kind: string; retryAt?: unknown }>(
    call: (accessToken: string) => Promise<Result>,
    lane: LaneName = "rest",
  ) {
    const result = await this.#account.request(call, lane);
    this.noteRefusal(result);
    return result;
  }

  /** Notifies the machine if a result is a rate limit, or another failure that states a wait. */
  noteRefusal({ kind, retryAt }: { kind: string; retryAt?: unknown }): void {
    const stated = typeof retryAt === "number" ? retryAt : null;
    if (kind === "rate_limited") this.dispatch({ kind, retryAt: stated });
    else if (stated !== null) this.dispatch({ kind: "wait_stated", retryAt: stated });
  }

  /** Drops the outcomes of all calls in flight. */
  abandonCalls(): void {
    this.#generation += 1;
  }

  #start(call: PlatformCall): void {
    const { platform, now, log } = this.#deps;
    const driverId = this.#machine.owner?.driverId ?? null;
    const generation = this.#generation;
    const { link } = this.#machine.state;
    const running = performCall(
      call,
      (event) => {
        // Offers listed for an unlinked account aren't for the linked one. Only what an accept took for it still counts.
        const isOfPastLink = event.kind !== "accepted" && this.#machine.state.link !== link;
        if (generation === this.#generation && !isOfPastLink) this.dispatch(event);
      },
      {
        platform,
        account: this.#account,
        now,
        maySend: (attemptId) => this.#machine.maySendAccept(attemptId),
      },
    )
      .finally(() => {
        this.#calls.delete(running);
        this.#noteChange();
      })
      // While it was under way, the alarm was set for its time-out: nobody may be left who waits for its answer.
      .then(() => this.#alarm.set())
      .catch((error: unknown) => {
        log("error", "capture.call.failed", { driverId, call: call.kind, ...describeError(error) });
      });
    this.#calls.set(running, call.kind);
  }

  #noteChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
