import {
  addTally,
  ANSWER_OF_CAUSE,
  emptyTally,
  latenessBin,
  TALLY_FIELDS,
  type AnswerKind,
  type FleetState,
  type Tally,
  type TallyField,
} from "../../db/shapes/fleet.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { pollAt } from "../engine/phase.ts";
import type { DriverState, EngineSettings, MachineEvent } from "../engine/types.ts";
import type { MachineStep } from "./machine-step.ts";

/** After a longer pause than this, a poll is the first one, and was due whenever the pause ended. */
const LONGEST_PACE_MS = 2 * MINUTE_MS;

/** The activity of the driver's object, as operators count it. */
export function fleetStateOf({ phase, link }: Pick<DriverState, "phase" | "link">): FleetState {
  // Stored by a later release, and replaced by the next step.
  if (phase.kind === "other") return "off";
  if (phase.kind !== "needs_link") return phase.kind;
  return link.status === "signed_out" ? "signed_out" : "not_linked";
}

/** The addition of one step of the machine to the tally of its hour. */
export function countStep(step: MachineStep, now: EpochMs, settings: EngineSettings): TallyField[] {
  const { before, event, effects } = step;
  const counted: TallyField[] = [];
  const answer = answerOf(event);
  if (answer) counted.push(answer);
  for (const effect of effects) {
    if (effect.kind === "poll") counted.push(...latenessOf(before, now, settings));
    if (effect.kind !== "log") continue;
    for (const logged of effect.events) {
      if (logged.kind !== "attempt_settled") continue;
      const { outcome } = logged.attempt;
      if (outcome.status === "won") counted.push("captures");
      // One that was withdrawn never left.
      else if (outcome.status === "lost" && outcome.reason !== "withdrawn") counted.push("losses");
    }
  }
  return counted;
}

/** How late a poll leaves that follows another one. */
function latenessOf(before: DriverState, now: EpochMs, settings: EngineSettings): TallyField[] {
  const { profile, phase, transient } = before;
  const { lastPollAt } = transient;
  const isPaced = phase.kind === "polling" && lastPollAt !== null && now - lastPollAt <= LONGEST_PACE_MS;
  return profile && isPaced ? [latenessBin(now - pollAt(before, profile, settings))] : [];
}

/** How the platform answered a call; null if the event is no answer. */
function answerOf(event: MachineEvent): AnswerKind | null {
  switch (event.kind) {
    case "polled":
    case "blocks_read":
    case "verification_checked":
    case "check_in_answered":
    case "accepted":
      return answerKindOf(event.outcome);
    case "rate_limited":
      return "limited";
    default:
      return null;
  }
}

function answerKindOf(outcome: Extract<MachineEvent, { outcome: unknown }>["outcome"]): AnswerKind | null {
  switch (outcome.kind) {
    case "withdrawn":
      return null;
    case "signed_out":
      return "unauthorized";
    case "verification_required":
      return "forbidden";
    case "rate_limited":
      return "limited";
    case "unreachable":
      return ANSWER_OF_CAUSE[outcome.cause ?? "other"];
    case "timeout":
      return "timedOut";
    case "unreadable":
    case "refused":
      return outcome.kind;
    default:
      return "answered";
  }
}

/**
 * Counts by hour, in memory: a restart of an object at work (a deployment, a move to another host) loses what was not sent yet, a
 * quarter of an hour at most. One that is about to leave memory stores it.
 */
export class FleetTally {
  #hours = new Map<number, Tally>();
  /** Whether anything but answered polls was counted. */
  hasNews = false;

  add(fields: readonly TallyField[], now: EpochMs): void {
    if (fields.length === 0) return;
    const hour = Math.floor(now / HOUR_MS);
    const tally = this.#hours.get(hour) ?? emptyTally();
    this.#hours.set(hour, tally);
    for (const field of fields) {
      tally[field] += 1;
      this.hasNews ||= field !== "answered" && !field.startsWith("late");
    }
  }

  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  /** Everything that was counted. */
  list(): { hour: number; counts: Record<string, number> }[] {
    return [...this.#hours].map(([hour, tally]) => ({ hour, counts: tally }));
  }

  /** Adds what an earlier life of the object counted. */
  restore(stored: readonly { hour: number; counts: Record<string, number> }[]): void {
    this.putBack(
      stored.map(({ hour, counts }) => ({ hour, tally: { ...emptyTally(), ...knownCounts(counts) } })),
    );
  }

  /** Everything that was counted, which begins anew. */
  take(): { hour: number; tally: Tally }[] {
    const taken = [...this.#hours].map(([hour, tally]) => ({ hour, tally }));
    this.#hours = new Map();
    this.hasNews = false;
    return taken;
  }

  /** Adds what could not be sent to what was counted since. */
  putBack(taken: readonly { hour: number; tally: Tally }[]): void {
    for (const { hour, tally } of taken) {
      const since = this.#hours.get(hour);
      if (since) addTally(since, tally);
      else this.#hours.set(hour, tally);
    }
    this.hasNews = true;
  }
}

/** Without what another release counted. */
function knownCounts(counts: Record<string, number>): Partial<Tally> {
  return Object.fromEntries(TALLY_FIELDS.map((field) => [field, counts[field] ?? 0]));
}
