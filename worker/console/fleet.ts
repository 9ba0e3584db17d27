import { listDriversInState, listStaleDrivers, loadFleetFigures } from "../../db/queries/fleet/figures.ts";
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
import { loadFleetProblems, STALE_MS, WATCHED_ALERTS, type FleetProblem } from "./fleet-problems.ts";
import { maskButEnd } from "./phones.ts";

const LIST_LIMIT = 50;
const ALERT_LIMIT = 20;
const SPAN_MS: Record<FleetSpan, number> = { day: DAY_MS, week: 7 * DAY_MS };

/** So many drivers signed out within an hour, and this share of those who are on, are no accident of one driver's. */
const MANY_SIGNED_OUT = 5;
const MANY_SHARE = 0.05;
/** From so many calls on a share of them says something of the platform. */
const LEAST_CALLS = 50;
const BAD_SHARE = 0.5;

/** The fleet's state now, and its work within a span. */
export async function loadFleet({ db, deps }: ConsoleContext, span: FleetSpan): Promise<FleetResponse> {
  const now = deps.now();
  const from = hourOf(now) - SPAN_MS[span] + HOUR_MS;
  const [figures, { problems }] = await Promise.all([
    loadFleetFigures(db, {
      now,
      from,
      staleAt: now - STALE_MS,
      recently: now - HOUR_MS,
      alerts: ALERT_LIMIT,
    }),
    loadFleetProblems(db, now),
  ]);
  const counts = new Map(figures.states.map(({ state, drivers }) => [state, drivers]));
  const drivers = groupDrivers((state) => counts.get(state) ?? 0, figures.stale);
  const tallies = new Map(figures.hours.map(({ hour, ...tally }) => [hour * HOUR_MS, tally]));
  const sum = sumOf(figures.hours);
  const latest = sumOf(figures.hours.filter(({ hour }) => hour * HOUR_MS >= hourOf(now) - HOUR_MS));
  return {
    at: now,
    attention: [
      ...attentionOf({ drivers, problems, signedOut: figures.signedOutRecently, latest }),
      ...figures.money.map(({ kind, at, driverId }) => ({
        kind: "money" as const,
        alert: kind,
        driverId,
        since: at,
      })),
      ...figures.services.filter(isAboutTexts).map(({ name, reason, since }) => ({
        kind: "texts" as const,
        alert: name,
        reason,
        since,
      })),
    ],
    drivers,
    hours: hoursFrom(from, now).map((at) => {
      const tally = tallies.get(at) ?? emptyTally();
      return { at, captures: tally.captures, losses: tally.losses, errors: errorsOf(tally) };
    }),
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

/** The figures of this moment already say what the watch over the service found. */
function isAboutTexts({ name }: { name: string }): boolean {
  return !WATCHED_ALERTS.has(name);
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
} as const satisfies Record<Exclude<FleetListName, "stale">, readonly FleetState[]>;

function groupDrivers(count: (state: FleetState) => number, stale: number): FleetResponse["drivers"] {
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
  return { ...drivers, on, stale, off: sum("off") };
}

function attentionOf({
  drivers,
  problems,
  signedOut,
  latest,
}: {
  drivers: FleetResponse["drivers"];
  problems: readonly FleetProblem[];
  signedOut: number;
  latest: Tally;
}): Attention[] {
  const found: Attention[] = [...problems];
  if (drivers.stale > 0) found.push({ kind: "stale", drivers: drivers.stale });
  if (signedOut >= Math.max(MANY_SIGNED_OUT, drivers.on * MANY_SHARE))
    found.push({ kind: "signed_out", drivers: signedOut });
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
  const found =
    list === "stale"
      ? await listStaleDrivers(db, deps.now() - STALE_MS, limit)
      : await listDriversInState(db, STATES_OF[list], limit);
  const drivers = found.slice(0, most).map(({ phone, ...driver }) => ({
    ...driver,
    phone: operator.role === "support" ? maskButEnd(phone) : phone,
  }));
  return { drivers, hasMore: found.length > most };
}
