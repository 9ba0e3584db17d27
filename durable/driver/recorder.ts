import type { Config } from "../runtime/config.ts";
import type { DriverState, Effect, MachineEvent } from "../engine/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { Sockets } from "./sockets.ts";
import type { Store } from "./storage/store.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { Log } from "../runtime/log.ts";
import { captureLine } from "./capture-log.ts";
import type { DriftBook } from "./drift-book.ts";
import type { FleetReporter } from "./fleet-reporter.ts";
import type { MachineStep } from "./machine-step.ts";
import { notifyDriver } from "./notify/notify.ts";
import { buildSnapshot } from "./snapshot.ts";

type RecorderDeps = {
  store: Store;
  sockets: Sockets;
  fleet: FleetReporter;
  drift: DriftBook;
  config: Config;
  log: Log;
};

/** Stores the effects of a step and sends them to the dashboards. Never awaits, so that effects and state are one transaction. */
export class Recorder {
  readonly #deps: RecorderDeps;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  record(step: MachineStep, owner: DriverOwner | null, now: EpochMs): void {
    const { store, sockets, fleet, drift } = this.#deps;
    const { before, event, state, effects } = step;
    fleet.note(step, now);
    const fields = drift.takeNew();
    if (fields.length > 0)
      sockets.sendEvents(store.events.append([{ kind: "drift_noted", at: now, fields }]), now);
    for (const effect of effects) {
      if (effect.kind === "log") this.#log(effect, { step, owner, now });
      if (effect.kind === "notify" && owner) this.#notify(effect, { owner, state, now });
    }
    if (before.link !== state.link && state.link.status === "signed_out") {
      store.outbox.add({ kind: "record_changed", change: { proxyInstalled: false } }, now);
    }
    if (isAnswered(event)) sockets.sendPulse(state.transient.openOfferIds.length, now);
    if (before.held !== state.held || before.warehouses !== state.warehouses)
      this.showChanged(state, owner, now);
  }

  /** Sends every open dashboard a full snapshot. */
  showChanged(state: DriverState, owner: DriverOwner | null, now: EpochMs): void {
    const { store, sockets } = this.#deps;
    sockets.sendChanged(() => buildSnapshot(state, { events: store.events, owner, now }), now);
  }

  #log(
    { events }: Extract<Effect, { kind: "log" }>,
    { step, owner, now }: { step: MachineStep; owner: DriverOwner | null; now: EpochMs },
  ): void {
    const { store, sockets, log } = this.#deps;
    const rows = store.events.append(events);
    sockets.sendEvents(rows, now);
    for (const { event } of rows) {
      if (event.kind !== "attempt_settled") continue;
      const { attemptId, offer, outcome } = event.attempt;
      const firstSeenAt = step.before.verdicts.get(offer.offerId)?.firstSeenAt ?? null;
      const line = captureLine(event.attempt, { driverId: owner?.driverId ?? null, firstSeenAt });
      if (line) log("info", line.event, line.facts);
      if (outcome.status !== "won") continue;
      store.outbox.add({ kind: "block_won", attemptId, block: outcome.block }, now);
    }
  }

  #notify(
    { notifications }: Extract<Effect, { kind: "notify" }>,
    context: { owner: DriverOwner; state: DriverState; now: EpochMs },
  ): void {
    const { store, config } = this.#deps;
    for (const notification of notifications) notifyDriver(notification, { ...context, store, config });
  }
}

/** Whether the platform answered a poll with offers, also if they are those of before. */
function isAnswered(event: MachineEvent): boolean {
  return event.kind === "polled" && (event.outcome.kind === "offers" || event.outcome.kind === "unchanged");
}
