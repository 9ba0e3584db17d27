import type { TickedObject } from "../../../durable/runtime/env.ts";
import type { ObjectHost } from "./host.ts";
import type { Timeline } from "../timeline.ts";

const RETRY_MS = 1_000;
/** The object's own alarm comes so long after the call that a lost ticker no longer makes. */
const GUARD_MS = 60_000;

/** The ticker of one driver's object. */
export class SimulatedTicker {
  readonly #timeline: Timeline;
  readonly #host: () => ObjectHost;
  #token = 0;
  #isCalling = false;

  constructor(timeline: Timeline, host: () => ObjectHost) {
    this.#timeline = timeline;
    this.#host = host;
  }

  /** As the namespace of the runtime. */
  getByName(name: string) {
    return {
      due: async ({ at }: TickedObject) => {
        this.#callAt(at, name);
        return true;
      },
    };
  }

  /** It is lost, and calls nobody any more until an object asks for it. */
  stop(): void {
    this.#token += 1;
    // As of an alarm that the runtime loses: nobody polls until the next.
    if (this.#isCalling) this.#host().lateAlarms.push({ at: this.#timeline.now, byMs: GUARD_MS });
    this.#isCalling = false;
  }

  #callAt(at: number, name: string): void {
    this.#token += 1;
    this.#isCalling = true;
    const token = this.#token;
    this.#timeline.at(at - this.#timeline.skewMs, () => {
      if (token === this.#token) void this.#call(token, name);
    });
  }

  async #call(token: number, name: string): Promise<void> {
    const host = this.#host();
    let since = this.#timeline.now;
    try {
      const next = await host.call(
        (driver) => driver.tick(name),
        () => {
          since = this.#timeline.now;
        },
      );
      host.billed.handlerMs += this.#timeline.now - since;
      if (token !== this.#token) return;
      if (next === null) this.#isCalling = false;
      else this.#callAt(next, name);
    } catch {
      if (token === this.#token) this.#callAt(this.#timeline.now + RETRY_MS, name);
    }
  }
}
