import {
  addCityCounts,
  CITY_FIELDS,
  CITY_INSTANTS,
  emptyCityCounts,
  INSTANT_OF,
  type CityCounts,
  type CityField,
} from "../../../db/shapes/city-counts.ts";
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
} from "../../../db/shapes/fleet.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { pollAt } from "../../engine/next-wake.ts";
import type { DriverState, EngineSettings, MachineEvent } from "../../engine/state/types.ts";
import type { MachineStep } from "../machine-step.ts";

/** After a longer pause than this, a poll is the first one, and was due whenever the pause ended. */
const LONGEST_PACE_MS = 2 * MINUTE_MS;

/** The activity of the driver's object, as operators count it. */
export function fleetStateOf({ phase, link }: Pick<DriverState, "phase" | "link">): FleetState {
  // Stored by a later release, and replaced by the next step.
  if (phase.kind === "other") return "off";
  // The driver's own limits are as their schedule is.
  if (phase.kind === "limit_reached") return "asleep";
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

/** How the platform's kinds of answers count in a city. Name not found and its like are `failed`. */
function cityFieldOf(field: TallyField): CityField | null {
  if (field === "captures" || field === "losses" || field === "answered") return field;
  if (field === "unauthorized" || field === "forbidden" || field === "limited") return "refused";
  return field.startsWith("late") ? null : "failed";
}

/** A longer pause between two answered polls is none of looking. */
const LONGEST_LOOK_MS = 2 * MINUTE_MS;

/** The addition of one step to the counts of the driver's city, beside what `countStep` counted. */
export function countCityStep(
  { before, event, effects }: MachineStep,
  counted: readonly TallyField[],
  now: EpochMs,
): Partial<CityCounts> {
  const counts = emptyCityCounts();
  const add = (field: CityField, by = 1) => {
    counts[field] += by;
    const instant = INSTANT_OF[field];
    if (instant) counts[instant] = now;
  };
  for (const field of counted) {
    const own = cityFieldOf(field);
    if (own) add(own);
  }
  const last = before.transient.lastPollAnsweredAt;
  if (isAnsweredPoll(event) && last !== null && now - last <= LONGEST_LOOK_MS)
    add("lookedSeconds", (now - last) / 1_000);
  for (const logged of effects.flatMap((effect) => (effect.kind === "log" ? effect.events : []))) {
    if (logged.kind === "silence_suspected") add("softBlocks");
    if (logged.kind !== "offer_judged") continue;
    const known = before.verdicts.get(logged.offer.offerId);
    if (!known) add("offers");
    if (logged.reasons.length === 0 && (!known || known.reasons.length > 0)) add("matches");
  }
  return counts;
}

function isAnsweredPoll(event: MachineEvent): boolean {
  return event.kind === "polled" && (event.outcome.kind === "offers" || event.outcome.kind === "unchanged");
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

type HourCounts = { tally: Tally; city: CityCounts };

/**
 * Counts by hour, in memory: a restart of an object at work (a deployment, a move to another host) loses what was not
 * sent yet, a quarter of an hour at most. One that is about to leave memory stores it.
 */
export class FleetTally {
  #hours = new Map<number, HourCounts>();
  /** Whether anything but answered polls and judged offers was counted. */
  hasNews = false;

  add(fields: readonly TallyField[], city: Partial<CityCounts>, now: EpochMs): void {
    if (fields.length === 0 && !CITY_FIELDS.some((field) => city[field])) return;
    const { tally, city: sum } = this.#of(Math.floor(now / HOUR_MS));
    addCityCounts(sum, city);
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
    return this.#rounded().map(({ hour, tally, city }) => ({
      hour,
      counts: {
        ...tally,
        ...Object.fromEntries(Object.entries(city).map(([field, count]) => [CITY_PREFIX + field, count])),
      },
    }));
  }

  /** Adds what an earlier life of the object counted. */
  restore(stored: readonly { hour: number; counts: Record<string, number> }[]): void {
    this.putBack(stored.map(({ hour, counts }) => ({ hour, ...knownCounts(counts) })));
  }

  /** Everything that was counted, which begins anew. */
  take(): ({ hour: number } & HourCounts)[] {
    const taken = this.#rounded();
    this.#hours = new Map();
    this.hasNews = false;
    return taken;
  }

  /** Adds what could not be sent to what was counted since. */
  putBack(taken: readonly ({ hour: number } & HourCounts)[]): void {
    for (const { hour, tally, city } of taken) {
      const since = this.#of(hour);
      addTally(since.tally, tally);
      addCityCounts(since.city, city);
    }
    this.hasNews = true;
  }

  #of(hour: number): HourCounts {
    const known = this.#hours.get(hour);
    if (known) return known;
    const counts = { tally: emptyTally(), city: emptyCityCounts() };
    this.#hours.set(hour, counts);
    return counts;
  }

  #rounded(): ({ hour: number } & HourCounts)[] {
    return [...this.#hours].map(([hour, { tally, city }]) => ({
      hour,
      tally,
      city: { ...city, lookedSeconds: Math.round(city.lookedSeconds) },
    }));
  }
}

/** Some counts of both kinds have one name. */
const CITY_PREFIX = "city_";

/** Without what another release counted. */
function knownCounts(counts: Record<string, number>): HourCounts {
  const tally = emptyTally();
  const city = emptyCityCounts();
  for (const field of TALLY_FIELDS) tally[field] = counts[field] ?? 0;
  for (const field of [...CITY_FIELDS, ...CITY_INSTANTS]) city[field] = counts[CITY_PREFIX + field] ?? 0;
  return { tally, city };
}
