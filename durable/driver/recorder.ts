import type { EpochMs, DriverId } from "../../db/shapes/units.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { Attempt } from "../../db/shapes/log/attempt.ts";
import type { Block } from "../../db/shapes/work/offer.ts";
import type { Config } from "../runtime/config.ts";
import type { DriverState, Effect, MachineEvent } from "../engine/state/types.ts";
import type { Deps } from "../deps.ts";
import { areCountedRead, hasLimits } from "../engine/verdicts/counted-blocks.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Log, LogFacts } from "../runtime/log.ts";
import type { Sockets } from "./sockets.ts";
import type { Store } from "./storage/store.ts";
import type { DriftBook } from "./logs/drift-book.ts";
import type { LostTimeKeeper } from "./logs/lost-time-keeper.ts";
import type { FleetReporter } from "./logs/fleet-reporter.ts";
import type { ListingLog } from "./logs/listing-log.ts";
import type { MachineStep, StepListener } from "./machine-step.ts";
import { notifyDriver } from "./notify/notify.ts";
import { buildSnapshot } from "./snapshot.ts";

/** The state after a step, and whose it is. */
type Present = { state: DriverState; owner: DriverOwner | null };

type RecorderDeps = Pick<Deps, "now" | "sleep"> & {
  store: Store;
  sockets: Sockets;
  fleet: FleetReporter;
  lostTime: LostTimeKeeper;
  shiftChecks: StepListener;
  drift: DriftBook;
  listings: ListingLog;
  config: Config;
  log: Log;
};

/**
 * Stores the effects of a step and sends them to the dashboards. Never awaits, so that effects and state are one transaction.
 * Snapshots follow in a turn of their own: building one takes longer than all the rest, and a frame leaves only once its turn
 * is over.
 */
export class Recorder {
  readonly #deps: RecorderDeps;
  #present: Present | null = null;
  #isSnapshotDue = false;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  record(step: MachineStep, owner: DriverOwner | null, now: EpochMs): void {
    const { store, sockets, fleet, drift, listings, lostTime, shiftChecks } = this.#deps;
    const { before, event, state, effects } = step;
    this.#present = { state, owner };
    fleet.note(step, now);
    listings.note(step, now);
    lostTime.note(step, owner, now);
    shiftChecks.note(step, now);
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
    if (before.held !== state.held) {
      store.heldBlocks.follow(state.held, { isWhole: state.transient.unreadableHeld.length === 0, now });
      const known = [...changedBlocks(before, state), ...returnedBlocks(step)];
      this.#sendDays(store.wonBlocks.follow(known), now);
    }
    if (isAnswered(event)) sockets.sendPulse(state.transient.openOfferIds.length, now);
    if (isShownOtherwise(before, state, now)) void this.#showSoon();
  }

  /** Sends every open dashboard a full snapshot. */
  showChanged(state: DriverState, owner: DriverOwner | null, now: EpochMs): void {
    const { store, sockets, config } = this.#deps;
    this.#isSnapshotDue = false;
    sockets.sendChanged(() => {
      const { currency } = config.engine;
      return buildSnapshot(state, { store, owner, currency, now });
    }, now);
  }

  /** Sends a snapshot of the state once this turn is over: a single one, however many steps ask for it. Never throws. */
  async #showSoon(): Promise<void> {
    const { sockets, sleep, now, log } = this.#deps;
    // Without a page nobody waits for a turn that does nothing.
    if (this.#isSnapshotDue || !sockets.hasOpen) return;
    this.#isSnapshotDue = true;
    await sleep(0);
    if (!this.#isSnapshotDue || !this.#present) return;
    const { state, owner } = this.#present;
    try {
      this.showChanged(state, owner, now());
    } catch (error) {
      log("warn", "live.snapshot.failed", { driverId: owner?.driverId ?? null, ...describeError(error) });
    }
  }

  #log(
    { events }: Extract<Effect, { kind: "log" }>,
    { step, owner, now }: { step: MachineStep; owner: DriverOwner | null; now: EpochMs },
  ): void {
    const { store, sockets, log } = this.#deps;
    const rows = store.events.append(events);
    sockets.sendEvents(rows, now);
    for (const { seq, event } of rows) {
      if (event.kind !== "attempt_settled") continue;
      const { attemptId, offer, outcome } = event.attempt;
      const firstSeenAt = step.before.verdicts.get(offer.offerId)?.firstSeenAt ?? null;
      const line = captureLine(event.attempt, { driverId: owner?.driverId ?? null, firstSeenAt });
      if (line) log("info", line.event, line.facts);
      if (outcome.status !== "won") continue;
      this.#sendDays(store.wonBlocks.add({ attemptId, block: outcome.block }, seq), now);
    }
  }

  /** The sums of these days go to D1. */
  #sendDays(days: readonly number[], now: EpochMs): void {
    for (const day of days) this.#deps.store.outbox.add({ kind: "won_day", day }, now);
  }

  #notify(
    { notifications }: Extract<Effect, { kind: "notify" }>,
    context: { owner: DriverOwner; state: DriverState; now: EpochMs },
  ): void {
    const { store, config } = this.#deps;
    for (const notification of notifications) notifyDriver(notification, { ...context, store, config });
  }
}

/** The held blocks that are new or have changed. */
function changedBlocks({ held: before }: DriverState, { held }: DriverState): DriverState["held"] {
  const known = new Map(before.map((block) => [block.blockId, block]));
  return held.filter((block) => {
    const former = known.get(block.blockId);
    return former !== block && JSON.stringify(former) !== JSON.stringify(block);
  });
}

/** The blocks that a listing lacks, since the driver gave them back: those of an account that is left say nothing of that. */
function returnedBlocks({ before, event, state }: MachineStep): Block[] {
  if (event.kind !== "blocks_read" || before.givenBack === state.givenBack) return [];
  const listed = new Set(state.held.map(({ blockId }) => blockId));
  const givenBack = new Set(state.givenBack.map(({ blockId }) => blockId));
  return before.held
    .filter(({ blockId }) => givenBack.has(blockId) && !listed.has(blockId))
    .map((block) => ({ ...block, status: "forfeited" }));
}

/**
 * Whether a step changed something that a snapshot shows but no event reports. Attempts count toward limits, whatever their
 * outcome.
 */
function isShownOtherwise(before: DriverState, state: DriverState, now: EpochMs): boolean {
  if (before.held !== state.held || before.warehouses !== state.warehouses || before.link !== state.link)
    return true;
  return (
    hasLimits(state) &&
    (before.openAttempts !== state.openAttempts ||
      before.doubtedAttempts !== state.doubtedAttempts ||
      areCountedRead(before, now) !== areCountedRead(state, now))
  );
}

/** Whether the platform answered a poll with offers, even if they are unchanged. */
function isAnswered(event: MachineEvent): boolean {
  return event.kind === "polled" && (event.outcome.kind === "offers" || event.outcome.kind === "unchanged");
}

/** A log line about a settled attempt. */
type CaptureLine = { event: "capture.won" | "capture.lost"; facts: LogFacts };

/**
 * The log line for a settled attempt; null while it isn't settled. `ms` is the time from when we first saw the offer to
 * the response (null if that is no longer known), `acceptMs` the time from the accept to the response. The difference
 * is our own latency.
 */
export function captureLine(
  attempt: Attempt,
  { driverId, firstSeenAt }: { driverId: DriverId | null; firstSeenAt: EpochMs | null },
): CaptureLine | null {
  const { attemptId, offer, createdAt, endedAt, outcome } = attempt;
  if (endedAt === null || (outcome.status !== "won" && outcome.status !== "lost")) return null;
  const facts = {
    driverId,
    offerId: offer.offerId,
    attemptId,
    ms: firstSeenAt === null ? null : endedAt - firstSeenAt,
    acceptMs: endedAt - createdAt,
  };
  return outcome.status === "won"
    ? { event: "capture.won", facts }
    : { event: "capture.lost", facts: { ...facts, reason: outcome.reason } };
}
