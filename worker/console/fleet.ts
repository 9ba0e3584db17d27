import { listDriversInState, listOverdueObjects, loadFleetFigures } from "../../db/queries/fleet/figures.ts";
import { loadCronSteps, overdueOf } from "../../db/queries/fleet/cron-steps.ts";
import { sumGivenBack } from "../../db/queries/payments/lost-days.ts";
import { listFleetStates } from "../../db/queries/fleet/state-history.ts";
import {
  addTally,
  ANSWER_KINDS,
  emptyTally,
  LATENESS_BINS,
  LATENESS_EDGES_MS,
  latenessAt,
  type FleetState,
  type Tally,
} from "../../db/shapes/fleet.ts";
import { DAY_MS, HOUR_MS, type EpochMs } from "../../db/shapes/units.ts";
import type {
  Attention,
  FleetDriversResponse,
  FleetListName,
  FleetResponse,
  FleetSpan,
} from "../contract/console/fleet.ts";
import type { ConsoleContext } from "./acts.ts";
import {
  areManySignedOut,
  FLEET_ALERTS,
  LATELY_MS,
  loadFleetProblems,
  STALE_MS,
  type FleetProblem,
} from "./fleet-problems.ts";
import { maskButEnd } from "./phones.ts";
import { COMPARED_WEEKS, usualOf } from "./silence.ts";

const LIST_LIMIT = 50;
/** More than the names that there are: a release of the platform may change dozens of fields, and hides nothing else. */
const ALERT_LIMIT = 200;
const SPAN_MS: Record<FleetSpan, number> = { day: DAY_MS, week: 7 * DAY_MS, month: 28 * DAY_MS };
const WEEK_HOURS = 168;

/** From so many calls on a share of them says something of the platform. */
const LEAST_CALLS = 50;
const BAD_SHARE = 0.5;

/** The fleet's state now, and its work within a span. */
export async function loadFleet({ db, deps }: ConsoleContext, span: FleetSpan): Promise<FleetResponse> {
  const now = deps.now();
  const from = hourOf(now) - SPAN_MS[span] + HOUR_MS;
  const firstHour = from / HOUR_MS;
  const [figures, { problems }, history, givenBackMs, steps] = await Promise.all([
    loadFleetFigures(db, {
      now,
      from,
      usualHours: usualHours(firstHour, hourOf(now) / HOUR_MS),
      staleAt: now - STALE_MS,
      recently: now - LATELY_MS,
      alerts: ALERT_LIMIT,
    }),
    loadFleetProblems(db, now),
    listFleetStates(db, { from, to: now, isHourly: span !== "day" }),
    sumGivenBack(db, now - 30 * DAY_MS),
    loadCronSteps(db),
  ]);
  const counts = new Map(figures.states.map(({ state, drivers }) => [state, drivers]));
  const drivers = groupDrivers((state) => counts.get(state) ?? 0, {
    stale: figures.stale,
    failing: figures.failing.drivers,
  });
  const tallies = new Map(figures.hours.map(({ hour, ...tally }) => [hour * HOUR_MS, tally]));
  const inSpan = figures.hours.filter(({ hour }) => hour >= firstHour);
  const sum = sumOf(inSpan);
  const latest = sumOf(inSpan.filter(({ hour }) => hour * HOUR_MS >= hourOf(now) - HOUR_MS));
  return {
    at: now,
    givenBackMs,
    attention: [
      ...attentionOf({
        drivers,
        problems,
        failure: figures.failing.failure,
        signedOut: figures.signedOutRecently,
        latest,
      }),
      ...figures.money.map(({ kind, at, driverId }) => ({
        kind: "money" as const,
        alert: kind,
        driverId,
        since: at,
      })),
      ...[...figures.services.filter(isListed), ...overdueOf(steps, now)].map(({ name, reason, since }) => ({
        kind: "texts" as const,
        alert: name,
        reason,
        since,
      })),
    ],
    drivers,
    hours: hoursFrom(from, now).map((at) => {
      const tally = tallies.get(at) ?? emptyTally();
      const { captures, losses, answered, unauthorized, forbidden, limited } = tally;
      const refusals = unauthorized + forbidden + limited;
      return {
        at,
        captures,
        losses,
        answers: answered,
        refusals,
        errors: errorsOf(tally),
        usual: usualCounts(at, tallies),
      };
    }),
    states: [
      ...[...Map.groupBy(history, ({ at }) => at)].map(([at, states]) => toStates(at, states)),
      toStates(now, figures.states),
    ],
    answers: answersOf(sum),
    lateness: {
      polls: LATENESS_BINS.reduce((polls, bin) => polls + sum[bin], 0),
      bins: LATENESS_BINS.map((bin, index) => ({
        withinMs: LATENESS_EDGES_MS[index] ?? null,
        polls: sum[bin],
      })),
      p50Ms: latenessAt(0.5, sum) ?? null,
      p95Ms: latenessAt(0.95, sum) ?? null,
      p99Ms: latenessAt(0.99, sum) ?? null,
    },
  };
}

/** The hours that those of a span are compared with: the same ones of the weeks before, as far as they lie before it. */
function usualHours(first: number, last: number): number[] {
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const before = hours.flatMap((hour) =>
    Array.from({ length: COMPARED_WEEKS }, (_, week) => hour - (week + 1) * WEEK_HOURS),
  );
  return [...new Set(before)].filter((hour) => hour < first);
}

/** An hour's usual counts; null where the weeks before counted nothing. */
function usualCounts(
  at: EpochMs,
  tallies: ReadonlyMap<EpochMs, Tally>,
): FleetResponse["hours"][number]["usual"] {
  const weeks = Array.from({ length: COMPARED_WEEKS }, (_, week) => at - (week + 1) * WEEK_HOURS * HOUR_MS);
  const counted = weeks.flatMap((week) => tallies.get(week) ?? []);
  if (counted.length === 0) return null;
  return {
    captures: usualOf(counted, ({ captures }) => captures),
    losses: usualOf(counted, ({ losses }) => losses),
    errors: usualOf(counted, errorsOf),
  };
}

function toStates(at: EpochMs, states: readonly { state: FleetState; drivers: number }[]) {
  return { at, drivers: Object.fromEntries(states.map(({ state, drivers }) => [state, drivers])) };
}

/** The figures of this moment already say what the fleet's alerts do. */
function isListed({ name }: { name: string }): boolean {
  return !FLEET_ALERTS.has(name);
}

function sumOf(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const tally of tallies) addTally(sum, tally);
  return sum;
}

function hourOf(at: EpochMs): EpochMs {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

function hoursFrom(from: EpochMs, now: EpochMs): EpochMs[] {
  const hours = Math.floor((now - from) / HOUR_MS) + 1;
  return Array.from({ length: hours }, (_, index) => from + index * HOUR_MS);
}

function answersOf(sum: Tally): FleetResponse["answers"] {
  const { answered, unauthorized, forbidden, limited, timedOut, unreadable, refused } = sum;
  const { failed, nameNotFound, untrusted, notListening, disconnected } = sum;
  const unanswered = { failed, nameNotFound, untrusted, notListening, disconnected, timedOut };
  return { answered, unauthorized, forbidden, limited, ...unanswered, unreadable, refused };
}

/** Calls that got no answer that could be used. */
function errorsOf(sum: Tally): number {
  const { failed, nameNotFound, untrusted, notListening, disconnected, timedOut, unreadable, refused } = sum;
  return failed + nameNotFound + untrusted + notListening + disconnected + timedOut + unreadable + refused;
}

/** The states that each of the counts sums up. */
const STATES_OF = {
  looking: ["polling"],
  waiting: ["throttled", "quota_used_up", "weekly_limit", "unreachable", "unreadable", "blocks_unreadable"],
  asleep: ["asleep"],
  signedOut: ["signed_out"],
  notLinked: ["not_linked"],
  verification: ["verification_required"],
  noService: ["no_service"],
  off: ["off"],
} as const satisfies Record<Exclude<FleetListName, "stale" | "failing">, readonly FleetState[]>;

function groupDrivers(
  count: (state: FleetState) => number,
  { stale, failing }: { stale: number; failing: number },
): FleetResponse["drivers"] {
  const sum = (list: keyof typeof STATES_OF) =>
    STATES_OF[list].reduce((total, state) => total + count(state), 0);
  const drivers = {
    looking: sum("looking"),
    waiting: sum("waiting"),
    asleep: sum("asleep"),
    signedOut: sum("signedOut"),
    notLinked: sum("notLinked"),
    verification: sum("verification"),
    noService: sum("noService"),
  };
  const on = Object.values(drivers).reduce((total, some) => total + some, 0);
  return { ...drivers, on, stale, failing, off: sum("off") };
}

function attentionOf({
  drivers,
  problems,
  failure,
  signedOut,
  latest,
}: {
  drivers: FleetResponse["drivers"];
  problems: readonly FleetProblem[];
  failure: string | null;
  signedOut: number;
  latest: Tally;
}): Attention[] {
  const found: Attention[] = [...problems];
  if (drivers.stale > 0) found.push({ kind: "stale", drivers: drivers.stale });
  if (drivers.failing > 0 && failure !== null)
    found.push({ kind: "failing", drivers: drivers.failing, failure });
  if (areManySignedOut(signedOut, drivers.on)) found.push({ kind: "signed_out", drivers: signedOut });
  const calls = ANSWER_KINDS.reduce((total, kind) => total + latest[kind], 0);
  if (calls < LEAST_CALLS) return found;
  const refused = (latest.unauthorized + latest.forbidden + latest.limited) / calls;
  const failed = errorsOf(latest) / calls;
  if (refused >= BAD_SHARE) found.push({ kind: "platform_refuses", percent: Math.round(refused * 100) });
  if (failed >= BAD_SHARE) found.push({ kind: "platform_fails", percent: Math.round(failed * 100) });
  return found;
}

/** The drivers behind one of the counts. Support sees the ends of their numbers. */
export async function listFleetDrivers(
  { db, deps, operator }: ConsoleContext,
  list: FleetListName,
  most = LIST_LIMIT,
): Promise<FleetDriversResponse> {
  const limit = most + 1;
  const staleAt = deps.now() - STALE_MS;
  const found =
    list === "stale" || list === "failing"
      ? await listOverdueObjects(db, { staleAt, isThrowing: list === "failing" }, limit)
      : await listDriversInState(db, { states: STATES_OF[list], staleAt }, limit);
  const drivers = found.slice(0, most).map(({ phone, ...driver }) => ({
    failure: null,
    ...driver,
    phone: operator.role === "support" ? maskButEnd(phone) : phone,
  }));
  return { drivers, hasMore: found.length > most };
}
