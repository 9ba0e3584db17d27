import type { FleetReport, FleetState } from "../../../db/shapes/fleet.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../deps.ts";
import type { DriverState, EngineSettings } from "../../engine/state/types.ts";
import { describeError } from "../../runtime/describe-error.ts";
import { mayLeaveMemory } from "../../watch/own-turn.ts";
import { countCityStep, countStep, FleetTally, fleetStateOf } from "./fleet-tally.ts";
import type { StoredIntervals } from "../storage/stored-shapes.ts";
import type { StateTable } from "../storage/tables/state.ts";
import type { MachineStep } from "../machine-step.ts";

/** The least time between two reports of what was counted. D1 bills each row that is written. */
const NEWS_INTERVAL_MS = 5 * MINUTE_MS;
/** The same while polls were answered and nothing else happened. */
const QUIET_INTERVAL_MS = 15 * MINUTE_MS;
/** The same where the object is about to have nothing to do: it may leave memory in a minute, with what it counted. */
const IDLE_INTERVAL_MS = MINUTE_MS;
/** From how long without an answer on a driver is said to be without the platform: shorter ones say nothing of it. */
const OUTAGE_MS = MINUTE_MS;
/** The least time between two of these, for a platform that comes and goes. */
const OUTAGE_INTERVAL_MS = 10 * MINUTE_MS;
/** How often a state is said again that has not changed. */
const STATE_INTERVAL_MS = HOUR_MS;
/** After a report that failed. */
const RETRY_MS = MINUTE_MS;

/** States between which a driver moves by themselves, and often: a platform that fails and answers by turns. */
const RUNNING: ReadonlySet<FleetState> = new Set([
  "polling",
  "asleep",
  "throttled",
  "quota_used_up",
  "weekly_limit",
  "unreachable",
  "unreadable",
  "blocks_unreadable",
]);

/** States in which no call follows for long. */
const IDLE: ReadonlySet<FleetState> = new Set(["asleep", "weekly_limit", "off", "no_service"]);

type FleetReporterDeps = Pick<Deps, "now" | "log"> & {
  settings: EngineSettings;
  /** Resolves once the report can't be lost. */
  send: (report: FleetReport) => Promise<void>;
  /** Where counts wait while the object is not in memory. */
  stored: Pick<StateTable, "fleetCounts" | "write">;
};

/** The state and when it was last reported. */
type FleetIntervals = Pick<StoredIntervals, "state" | "told" | "outageToldAt">;

/**
 * Tells operators what the object does and what it counted, by its watcher. Counts in memory, so that a poll writes
 * nothing, stores that before the object leaves it, and sends in the background.
 */
export class FleetReporter {
  readonly #deps: FleetReporterDeps;
  readonly #tally = new FleetTally();
  /** The last report. */
  #told: FleetIntervals["told"] = null;
  #state: FleetIntervals["state"] = null;
  #countedFrom: EpochMs;
  #notBefore: EpochMs = 0;
  #outageToldAt: EpochMs = 0;
  /** Whether counts are stored, which may be older ones. */
  #isStored: boolean;
  #isChanged = false;

  constructor(deps: FleetReporterDeps) {
    this.#deps = deps;
    const stored = deps.stored.fleetCounts();
    this.#countedFrom = stored?.from ?? deps.now();
    this.#isStored = stored !== null;
    if (stored) this.#tally.restore(stored.hours);
  }

  /** The part that outlives the object's memory, so that its next life doesn't report again. */
  get intervals(): FleetIntervals {
    return { state: this.#state, told: this.#told, outageToldAt: this.#outageToldAt };
  }

  /** Goes on from what an earlier life of the object reported. */
  restore({ state, told, outageToldAt }: FleetIntervals): void {
    this.#state = state;
    this.#told = told;
    this.#outageToldAt = outageToldAt;
  }

  /** Counts a step. Writes nothing. */
  note(step: MachineStep, now: EpochMs): void {
    const counted = countStep(step, now, this.#deps.settings);
    this.#tally.add(counted, countCityStep(step, counted, now), now);
    this.#isChanged ||= counted.length > 0;
    this.#noteState(step.state, now);
  }

  /** Stores what was counted, if the object may leave memory before it wakes again. */
  keep(now: EpochMs, wakesAt: EpochMs | null): void {
    if (!mayLeaveMemory(now, wakesAt) || !this.#isChanged) return;
    this.#isChanged = false;
    this.#isStored = !this.#tally.isEmpty;
    const kept = this.#isStored ? { from: this.#countedFrom, hours: this.#tally.list() } : null;
    this.#deps.stored.write("fleetCounts", kept);
  }

  #noteState(of: DriverState, now: EpochMs): { state: FleetState; since: EpochMs } {
    const state = fleetStateOf(of);
    if (this.#state?.state !== state) this.#state = { state, since: now };
    return this.#state;
  }

  /** Sends what is due. Never throws: what could not be sent is part of the next report. */
  async report({ driverId }: DriverOwner, of: DriverState, now: EpochMs): Promise<void> {
    const current = this.#noteState(of, now);
    const isTallyDue = this.#isTallyDue(current.state, now);
    const isStateDue = this.#isStateDue(current, now);
    if (now < this.#notBefore || !(isTallyDue || isStateDue)) return;
    const isStateNew = isStateDue || (this.#told?.state !== current.state && current.state !== "unreachable");
    const tallies = isTallyDue || !this.#isRunning(current.state) ? this.#tally.take() : [];
    if (tallies.length > 0) this.#countedFrom = now;
    try {
      const state = isStateNew ? { ...current, at: now } : null;
      await this.#deps.send({ driverId, tallies, state });
      if (tallies.length > 0) this.#forgetStored();
      if (state) this.#told = { state: state.state, at: now };
      if (state?.state === "unreachable") this.#outageToldAt = now;
    } catch (error) {
      this.#tally.putBack(tallies);
      this.#notBefore = now + RETRY_MS;
      this.#deps.log("warn", "fleet.report.failed", { driverId, ...describeError(error) });
    }
  }

  /** Counts that came while others were sent are stored the next time. */
  #forgetStored(): void {
    if (this.#isStored) this.#deps.stored.write("fleetCounts", null);
    this.#isStored = false;
    this.#isChanged = !this.#tally.isEmpty;
  }

  /** Whether the driver was and is in states that pass by themselves, in which the object counts on. */
  #isRunning(state: FleetState): boolean {
    return this.#told !== null && RUNNING.has(this.#told.state) && RUNNING.has(state);
  }

  #isTallyDue(state: FleetState, now: EpochMs): boolean {
    const interval = IDLE.has(state)
      ? IDLE_INTERVAL_MS
      : this.#tally.hasNews
        ? NEWS_INTERVAL_MS
        : QUIET_INTERVAL_MS;
    return !this.#tally.isEmpty && now - this.#countedFrom >= interval;
  }

  /**
   * A change that needs the driver, or ends that, is said at once; others as often as counts are. Operators see an
   * outage by how many drivers say so: it is said once it lasts, and its end at once.
   */
  #isStateDue({ state, since }: { state: FleetState; since: EpochMs }, now: EpochMs): boolean {
    const told = this.#told;
    if (told === null) return true;
    if (told.state === state) return now - told.at >= STATE_INTERVAL_MS;
    if (!this.#isRunning(state)) return true;
    if (told.state === "unreachable") return true;
    if (state === "unreachable")
      return now - since >= OUTAGE_MS && now - this.#outageToldAt >= OUTAGE_INTERVAL_MS;
    return now - told.at >= NEWS_INTERVAL_MS;
  }
}
