import type { MachineEvent, PlatformCall } from "../engine/types.ts";
import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Machine } from "./machine.ts";
import type { PlatformAccount } from "./platform-account.ts";
import { performCall } from "./platform-calls.ts";

type EventLoopDeps = { deps: Deps; machine: Machine; account: PlatformAccount };

/**
 * Events in, calls out. Events are taken in the order in which they came, each whole before the
 * next; what a call answers is an event like any other. Up to the first await, all that an event
 * led to is one transaction.
 */
export class EventLoop {
  readonly #deps: Deps;
  readonly #machine: Machine;
  readonly #account: PlatformAccount;
  readonly #events: MachineEvent[] = [];
  readonly #calls = new Set<Promise<void>>();
  #isDraining = false;
  /** Answers to calls of an earlier generation come to nothing. */
  #generation = 0;

  constructor({ deps, machine, account }: EventLoopDeps) {
    this.#deps = deps;
    this.#machine = machine;
    this.#account = account;
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
    }
  }

  /** Takes the event, and waits until the calls that it led to are answered, and those that their answers led to. */
  async settle(event: MachineEvent): Promise<void> {
    this.dispatch(event);
    while (this.#calls.size > 0) await Promise.all(this.#calls);
  }

  /**
   * A call outside the capture, made in the driver's name. Where the platform asks it to wait, the
   * machine learns of it, so that every other call waits too.
   */
  async request<Result extends { kind: string }>(call: (accessToken: string) => Promise<Result>) {
    const result = await this.#account.request(call);
    this.noteRefusal(result);
    return result;
  }

  /** Tells the machine of an answer that asks to wait. */
  noteRefusal(result: { kind: string; retryAt?: unknown }): void {
    if (result.kind !== "rate_limited") return;
    this.dispatch({
      kind: "rate_limited",
      retryAt: typeof result.retryAt === "number" ? result.retryAt : null,
    });
  }

  /** What is still under way comes to nothing. */
  abandonCalls(): void {
    this.#generation += 1;
  }

  #start(call: PlatformCall): void {
    const { platform, now, log } = this.#deps;
    const driverId = this.#machine.owner?.driverId ?? null;
    const generation = this.#generation;
    const running = performCall(
      call,
      (event) => {
        if (generation === this.#generation) this.dispatch(event);
      },
      {
        platform,
        account: this.#account,
        now,
        logSkipped: (count) => log("warn", "capture.offers.skipped", { driverId, count }),
      },
    )
      .catch((error: unknown) => {
        log("error", "capture.call.failed", { driverId, call: call.kind, ...describeError(error) });
      })
      .finally(() => {
        this.#calls.delete(running);
      });
    this.#calls.add(running);
  }
}
