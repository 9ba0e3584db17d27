import { Temporal } from "temporal-polyfill";
import type { WireEntry } from "../host/network.ts";
import type { WeekRecord } from "../week.ts";
import { isAwake } from "./calm.ts";
import { isCapturing, profilesInForce } from "./told.ts";
import type { Violation } from "./violation.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The steps in which it is looked whether the driver was at work, and the least that a day must be wrong by. */
const STEP_MS = 5 * MINUTE_MS;
const TOLERANCE_MS = 3 * STEP_MS;
/** The cause of a silence comes with its first call, or just before. */
const CAUSE_MS = 2 * MINUTE_MS;
/** The driver's clock. */
const ZONE = "America/New_York";
/** Items of the script by which the object, its clock or the platform fails, whatever a call shows of it. */
const FAILING = ["crash", "zombie", "clock jump", "d1 down", "duplicate alarm"];

/**
 * Days that came back are held against the platform's record: no more than it, or our own outage, took from a driver at
 * work.
 */
export function judgeLostDays(record: WeekRecord): Violation[] {
  const { hand, lostDays, outageCredits } = record;
  // A deleted account leaves its ledger, and none of its days.
  if (hand.isDeleted) return [];
  const broken = (cause: string, date: string, says: string): Violation => ({
    invariant: "no more comes back than was lost",
    cause,
    at: midnightOf(date),
    says: `${date}: ${says}`,
  });
  const silences = lostDays.length > 0 ? silencesOf(record) : [];
  const counted = lostDays.flatMap(({ date, lostMs, givenMs }) => {
    const day = { from: midnightOf(date), to: midnightOf(nextOf(date)) };
    const excusedMs = silences.reduce((sum, silence) => sum + atWorkMs(record, silence, day), 0);
    const paidMs = outageCredits
      .filter(({ source }) => source.endsWith(`:outage:${date}`))
      .reduce((sum, { durationMs }) => sum + durationMs, 0);
    const minutes = (ms: number) => Math.round(ms / MINUTE_MS);
    return [
      ...(lostMs > excusedMs + TOLERANCE_MS
        ? [broken("counted", date, `${minutes(lostMs)} min counted, ${minutes(excusedMs)} lost at most`)]
        : []),
      ...(givenMs > Math.min(lostMs, DAY_MS)
        ? [broken("given", date, `${minutes(givenMs)} min given for ${minutes(lostMs)}`)]
        : []),
      ...(paidMs === givenMs ? [] : [broken("ledger", date, `${minutes(paidMs)} min in the ledger`)]),
    ];
  });
  const dates = new Set(lostDays.map(({ date }) => date));
  const unknown = outageCredits.filter(({ source }) => !dates.has(source.slice(-10)));
  return [...counted, ...unknown.map(({ source }) => broken("ledger", source.slice(-10), "no such day"))];
}

type Span = { from: number; to: number };

/** Spans without a good answer that something else than the driver caused. */
function silencesOf({ plan, network, crashes, lateAlarms, log }: WeekRecord): Span[] {
  const good = network.wire.flatMap((entry) => (isGood(entry) ? [entry.answeredAt ?? entry.sentAt] : []));
  const causes = [
    ...network.wire.flatMap((entry) => (isBad(entry) ? [entry.sentAt] : [])),
    ...plan.items.flatMap(({ kind, at }) => (FAILING.includes(kind) ? [at] : [])),
    ...crashes,
    ...lateAlarms.map(({ at }) => at),
    ...(plan.tickerEnds ?? []),
    // Answers that the object could not read.
    ...log.flatMap(({ event }) =>
      event.kind === "phase_changed" && /unreadable/.test(event.phase.kind) ? [event.at] : [],
    ),
  ].toSorted((one, other) => one - other);
  const marks = [plan.startsAt, ...good.toSorted((one, other) => one - other), plan.endsAt];
  return marks.flatMap((from, index) => {
    const to = marks[index + 1] ?? from;
    const isCaused = causes.some((at) => at >= from - CAUSE_MS && at <= to);
    return to - from > MINUTE_MS / 2 && isCaused ? [{ from, to }] : [];
  });
}

function isGood({ step, status, fault, isFromOldInstance }: WireEntry): boolean {
  return step === "poll" && (status === 200 || status === 304) && fault === null && !isFromOldInstance;
}

function isBad({ status, fault, answeredAt }: WireEntry): boolean {
  // The platform refuses for the account's own quota alone, unless the script has it otherwise.
  return fault !== null || answeredAt === null || status === null || status >= 500;
}

/** How much of a silence may lie in hours in which the driver was on, in service and linked. */
function atWorkMs(record: WeekRecord, silence: Span, day: Span): number {
  const [from, to] = [Math.max(silence.from, day.from), Math.min(silence.to, day.to)];
  let sum = 0;
  for (let at = from; at < to; at += STEP_MS) if (mayBeAtWork(record, at)) sum += Math.min(STEP_MS, to - at);
  return sum;
}

function mayBeAtWork(record: WeekRecord, at: number): boolean {
  const around = [at - STEP_MS, at, at + STEP_MS];
  return (
    around.some((instant) =>
      profilesInForce(record, instant).some(({ profile }) => isCapturing(profile, instant)),
    ) &&
    record.hand.links.some(({ from, to }) => from - STEP_MS <= at && (to === null || at <= to + STEP_MS)) &&
    around.some((instant) => isAwake(record, instant))
  );
}

function midnightOf(date: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(ZONE).epochMilliseconds;
}

function nextOf(date: string): string {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toString();
}
