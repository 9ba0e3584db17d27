import type { Config } from "../config.ts";
import type { DriverState, Effect, MachineEvent } from "../engine/types.ts";
import type { EpochMs } from "../engine/units.ts";
import type { Sockets } from "./sockets.ts";
import type { Store } from "./store.ts";
import type { Identity } from "./stored.ts";
import { tellDriver } from "./tell.ts";

/** One step of the machine: what happened, and what it led to. */
export type MachineStep = {
  before: DriverState;
  event: MachineEvent;
  state: DriverState;
  effects: readonly Effect[];
};

type Parts = { store: Store; sockets: Sockets; config: Config };

/** Puts down what a step came to, and shows it on the dashboards. Never awaits: with the state it is one transaction. */
export class Recorder {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  record(step: MachineStep, owner: Identity | null, now: EpochMs): void {
    const { store, sockets } = this.#parts;
    const { before, event, state, effects } = step;
    for (const effect of effects) {
      if (effect.kind === "log") this.#log(effect, now);
      if (effect.kind === "notify" && owner) this.#tell(effect, { owner, state, now });
    }
    if (before.link !== state.link && state.link.status === "signed_out") {
      store.outbox.add({ kind: "record_changed", change: { proxyInstalled: false } }, now);
    }
    if (event.kind === "polled") sockets.pulse(state.memory.open.length, now);
    if (before.held !== state.held || before.warehouses !== state.warehouses) sockets.tellChanged(now);
  }

  #log({ events }: Extract<Effect, { kind: "log" }>, now: EpochMs): void {
    const { store, sockets } = this.#parts;
    const rows = store.append(events);
    sockets.tell(rows, now);
    for (const { event } of rows) {
      if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") continue;
      const { attemptId, outcome } = event.attempt;
      store.outbox.add({ kind: "block_won", attemptId, block: outcome.block }, now);
    }
  }

  #tell(
    { notices }: Extract<Effect, { kind: "notify" }>,
    told: { owner: Identity; state: DriverState; now: EpochMs },
  ): void {
    const { store, config } = this.#parts;
    for (const notice of notices) tellDriver(notice, { ...told, store, config });
  }
}
