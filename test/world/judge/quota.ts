import type { WireEntry } from "../host/network.ts";
import type { Fault } from "../script.ts";
import type { WeekRecord } from "../week.ts";
import { isAwake, mustWatch, troublesOf } from "./calm.ts";
import type { Violation } from "./violation.ts";
import { profilesInForce } from "./told.ts";

/** Latency may bring two polls closer together at the platform than they left. */
const LATENCY_MS = 100;
/** An answer that arrives this soon before a crash may not be durable. */
const COMMIT_MS = 200;
/** A request that was held up on the way is counted when it arrives. */
const LATEST_ARRIVAL_MS = 60_000;
/** The least share of a quota that is used where more is wanted. */
const LEAST_USE = 0.85;
/** Of what a mode wants where the quota has more: jitter, and accepts and reads beside the polls. */
const LEAST_OF_MODE = 0.8;
/** How many windows a span must have to be judged by its use. */
const WINDOWS = 4;
/** In a longer span the driver's schedule may have closed and opened again. */
const MAX_SPAN_MS = 30 * 60_000;
/** Faults of a shorter time are over before polls grow rare. */
const OUTAGE_MS = 10 * 60_000;
const INTERVAL_MS = { lucrative: 3_000, secure: 8_000, masacre: 1_000 };

/** An answer that told the object of the quota. `isSure` if no crash came so soon that it may not be stored. */
type Told = { sentAt: number; at: number; limit: number; resetAt: number; isSure: boolean };

/** The fate of a poll that used nothing of the quota: it never arrived, or was refused. */
const UNCOUNTED: ReadonlySet<Fault> = new Set([
  "request lost",
  "connection hangs",
  "500 without effect",
  "503 without effect",
  "503 with Retry-After",
  "400 without effect",
  "429 without effect",
  "429 with Retry-After",
  "429 asks a second",
  "429 asks ten years",
  "401 from a gateway",
]);

/** The platform's quota: never refused, never exceeded in any stretch of a window's length, and used. */
export function judgeQuota(record: WeekRecord): Violation[] {
  if (record.plan.quota.kind === "none") return [];
  return [...judgeRefusals(record), ...judgeBursts(record), ...judgeUse(record), ...judgeSharedUse(record)];
}

function toldOf({ network, crashes }: WeekRecord): Told[] {
  return network.wire.flatMap(({ step, sentAt, answeredAt, quota, isFromOldInstance }) => {
    if (step !== "poll" || quota === null || answeredAt === null || isFromOldInstance) return [];
    const isSure = !crashes.some((crash) => crash >= answeredAt && crash <= answeredAt + COMMIT_MS);
    return [{ sentAt, at: answeredAt, limit: quota.limit, resetAt: answeredAt + quota.resetMs, isSure }];
  });
}

/**
 * The limit that the object keeps to, or the greatest of those since the last that it surely knows. `told` in the order
 * of sending.
 */
function limitAt(told: readonly Told[], at: number): number {
  let limit = -Infinity;
  for (let index = lastSentBy(told, at); index >= 0; index -= 1) {
    const answer = told[index];
    if (!answer || answer.at > at) continue;
    limit = Math.max(limit, answer.limit);
    if (answer.isSure) return limit;
  }
  return limit;
}

/** The place of the last that was sent by an instant; -1 if none was. */
function lastSentBy(told: readonly Told[], at: number): number {
  let [low, high] = [0, told.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((told[middle]?.sentAt ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Never more polls than the latest limit, within the length of a window, wherever the window begins.
 *
 * Doesn't count what can't be known. Before the first answer there is no limit. Before the first poll after the first
 * reset there is no length: sixty seconds to go may be all of a minute or the rest of an hour, and only that poll tells.
 * With a limit of one it is a poll too many if the window is longer, so the polls before it don't count with a limit of
 * one; they all fall in that first window, where one is allowed. The same where the limit shrank in that window to what
 * had been sent of it. Nor do those after that reset whose answer, if any, told nothing of the quota: the next has to ask
 * again. All this ends one window after the first answer.
 */
function judgeBursts(record: WeekRecord): Violation[] {
  const { network, plan } = record;
  const { kind, windowMs } = plan.quota;
  const told = toldOf(record);
  const first = told.find(({ isSure }) => isSure);
  if (!first) return [];
  const known = told.find(({ sentAt, isSure }) => isSure && sentAt >= first.resetAt - 1000);
  const isAskedAgain = ({ sentAt, quota }: WireEntry) =>
    quota === null && sentAt >= first.resetAt - 1000 && sentAt < (known?.sentAt ?? Infinity);
  const polls = network.wire.filter(
    (entry) =>
      entry.step === "poll" &&
      isCounted(entry) &&
      entry.sentAt >= first.sentAt &&
      !entry.isFromOldInstance &&
      !isAskedAgain(entry),
  );
  const burst = polls.find((poll, index) => {
    const limit = limitAt(told, poll.sentAt);
    const before = polls[index - limit];
    if (before === undefined) return false;
    if (poll.sentAt - before.sentAt >= windowMs - LATENCY_MS - jumpsBetween(record, before, poll))
      return false;
    const hasShrunk = told.some((answer) => answer.at <= poll.sentAt && answer.limit > limit);
    return !((limit === 1 || hasShrunk) && before.sentAt < (known?.sentAt ?? Infinity));
  });
  if (!burst) return [];
  const says = `more polls within ${windowMs / 1000} s than the limit`;
  return [{ invariant: "quota kept", cause: `burst (${kind})`, at: burst.sentAt, says }];
}

/** Whether a poll used something of the quota. */
function isCounted({ status, fault }: WireEntry): boolean {
  return status !== 401 && status !== 429 && (fault === null || !UNCOUNTED.has(fault));
}

/** How far the object's clock went ahead in between. */
function jumpsBetween({ plan }: WeekRecord, from: WireEntry, to: WireEntry): number {
  return plan.items.reduce(
    (sum, item) =>
      item.kind === "clock jump" && item.at >= from.sentAt && item.at <= to.sentAt
        ? sum + Math.max(0, item.ms)
        : sum,
    0,
  );
}

/**
 * No poll is refused, except where nobody could know: before an answer told the limit; the first poll after a limit has
 * shrunk; while the driver's own app takes more than its half, or has just begun to; after the network held a poll up,
 * doubled it, or an instance that was replaced sent one more; before an answer since the object's clock was set ahead, and
 * for a window after that where the limit shrank meanwhile: when the calls that fill it leave is known by the old clock.
 */
function judgeRefusals(record: WeekRecord): Violation[] {
  const { platform, plan, network, crashes } = record;
  const { kind, limit, windowMs } = plan.quota;
  const told = toldOf(record).filter(({ isSure }) => isSure);
  const [first] = told;
  const refused = platform.log.filter(({ operation, status }) => operation === "offers" && status === 429);
  const isForeseeable = ({ at }: { at: number }): boolean => {
    if (!first || at < first.at) return false;
    const isShifted = network.wire.some(
      ({ step, sentAt, fault, isFromOldInstance }) =>
        step === "poll" &&
        sentAt <= at &&
        sentAt > at - windowMs - LATEST_ARRIVAL_MS &&
        (isFromOldInstance || fault === "request late" || fault === "request doubled"),
    );
    if (isShifted) return false;
    const hasShrunkSince = (since: number) =>
      plan.items.some((item) => item.kind === "shrink quota" && item.at > since && item.at <= at);
    const leastLimit = plan.items.reduce(
      (least, item) =>
        item.kind === "shrink quota" && item.at <= at && at <= item.at + item.forMs + windowMs
          ? Math.min(least, item.limit)
          : least,
      limit,
    );
    return plan.items.every((item) => {
      if (item.at > at) return true;
      if (item.kind === "own app") {
        // The app's calls still in the window count after it has ended.
        if (at > item.at + item.forMs + windowMs) return true;
        const isHalf = item.everyMs >= (2 * windowMs) / leastLimit;
        const isKnown =
          at > item.at + 2 * windowMs && !crashes.some((crash) => crash > item.at && crash < at);
        return isHalf && isKnown;
      }
      const isToldSince = (since: number) =>
        since > at || told.some((answer) => answer.sentAt > since && answer.at <= at);
      if (item.kind === "clock jump")
        return (
          item.ms < 0 ||
          (isToldSince(item.at) && (at > item.at + windowMs || !hasShrunkSince(item.at - windowMs)))
        );
      // Refused for the first time since, the object is told the new limit by the next answer. Where the limit had grown
      // it shrinks when that is over.
      if (item.kind === "shrink quota") return isToldSince(item.at) && isToldSince(item.at + item.forMs);
      return true;
    });
  };
  const found = refused.find(isForeseeable);
  if (!found) return [];
  const says = `a poll was refused: ${limit} in ${windowMs / 1000} s`;
  return [{ invariant: "quota kept", cause: `quota ${kind}`, at: found.at, says }];
}

/** Where more polls are wanted than the quota has, most of it is used. Learning takes one window at most. */
function judgeUse(record: WeekRecord): Violation[] {
  const { items } = record.plan;
  if (items.some(({ kind }) => kind === "own app" || kind === "shrink quota")) return [];
  // In an outage the object asks once a minute.
  if (items.some((item) => item.kind === "fault" && item.forMs > OUTAGE_MS)) return [];
  const { windowMs } = record.plan.quota;
  const troubles = [...troublesOf(record), record.plan.endsAt];
  return troubles.flatMap((trouble, index) => {
    const from = trouble + windowMs;
    const to = troubles[index + 1] ?? trouble;
    return to - from < WINDOWS * windowMs || to - from > MAX_SPAN_MS ? [] : judgeSpan(record, { from, to });
  });
}

/** Together with the driver's own app, once what it takes is known, if that is half or less. */
function judgeSharedUse(record: WeekRecord): Violation[] {
  const { items, quota } = record.plan;
  const { windowMs, limit } = quota;
  const troubles = troublesOf(record);
  return items.flatMap((item) => {
    if (item.kind !== "own app" || item.everyMs < (2 * windowMs) / limit) return [];
    const [from, to] = [item.at + 2 * windowMs, item.at + item.forMs];
    const isDisturbed =
      troubles.some((at) => at > item.at - windowMs && at !== item.at && at < to) ||
      items.some((other) => other.kind === "shrink quota" && other.at < to);
    return isDisturbed || to - from < 2 * windowMs ? [] : judgeSpan(record, { from, to });
  });
}

function judgeSpan(record: WeekRecord, { from, to }: { from: number; to: number }): Violation[] {
  const { kind, limit, windowMs } = record.plan.quota;
  const [told, ...others] = profilesInForce(record, from);
  const isWatched = [from, to - 1].every((at) => mustWatch(record, at) && isAwake(record, at));
  if (!told || others.length > 0 || !isWatched) return [];
  // One poll waits for another, so that slow ones are few.
  const isSlow = record.plan.items.some(
    (item) => item.kind === "slow" && item.step === "poll" && item.at < to && item.at + item.forMs > from,
  );
  if (isSlow) return [];
  const isWithin = (at: number) => at >= from && at < to;
  const app = record.platform.quota.appCalls.filter(isWithin).length;
  const used = record.network.wire.filter(({ step, sentAt }) => step === "poll" && isWithin(sentAt)).length;
  // While the runtime doesn't wake the object, nobody polls.
  const asleepMs = record.lateAlarms
    .filter(({ at }) => isWithin(at))
    .reduce((sum, { byMs }) => sum + byMs, 0);
  const awakeMs = to - from - asleepMs;
  const byQuota = (LEAST_USE * limit * awakeMs) / windowMs - app;
  const byMode = (LEAST_OF_MODE * awakeMs) / INTERVAL_MS[told.profile.mode];
  const least = Math.min(byQuota, byMode) - 1;
  if (used >= least) return [];
  const says = `${used} polls in ${Math.round((to - from) / 1000)} s, where ${Math.ceil(least)} is the least`;
  return [{ invariant: "quota kept", cause: `left unused (${kind})`, at: to, says }];
}
