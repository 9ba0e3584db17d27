import type { WeekRecord } from "../week.ts";
import { isAwake, mustWatch, troublesOf } from "./calm.ts";
import type { Violation } from "./judge.ts";
import { profilesInForce } from "./told.ts";

/** An answer that is on its way to the object can't hold back a call that has left. */
const LEAVING_MS = 150;

/** Latency may bring two polls closer together at the platform than they left. */
const LATENCY_MS = 100;
/** The least share of a quota that is used where more is wanted. */
const LEAST_USE = 0.8;
/** How many windows a span must have to be judged by its use. */
const WINDOWS = 4;
/** In a longer span the driver's schedule may have closed and opened again. */
const MAX_SPAN_MS = 30 * 60_000;
/** Longer waits are obeyed for so long, then the platform is asked once more. */
const MAX_WAIT_MS = 4 * 3_600_000;
const INTERVAL_MS = { lucrative: 3_000, secure: 8_000, masacre: 1_000 };

/** What the platform asked for: its quota, and the waits that it stated. */
export function judgeWaits(record: WeekRecord): Violation[] {
  return [...judgeQuota(record), ...judgeBursts(record), ...judgeUse(record), ...judgeStatedWaits(record)];
}

/** Never more polls than the limit within the length of a window, wherever the window begins. */
function judgeBursts({ network, plan }: WeekRecord): Violation[] {
  const { kind, limit, windowMs } = plan.quota;
  if (kind === "none") return [];
  const polls = network.wire.filter(({ step }) => step === "poll");
  const burst = polls.find((poll, index) => {
    const before = polls[index - limit];
    return before !== undefined && poll.sentAt - before.sentAt < windowMs - LATENCY_MS;
  });
  if (!burst) return [];
  const says = `more than ${limit} polls within ${windowMs / 1000} s`;
  return [{ invariant: "quota kept", cause: `burst (${kind})`, at: burst.sentAt, says }];
}

/** Where more polls are wanted than the quota has, most of it is used. */
function judgeUse(record: WeekRecord): Violation[] {
  const { kind, limit, windowMs } = record.plan.quota;
  if (
    kind === "none" ||
    record.plan.items.some((item) => item.kind === "own app" || item.kind === "shrink quota")
  )
    return [];
  const troubles = [...troublesOf(record), record.plan.endsAt];
  const polls = record.network.wire.flatMap(({ step, sentAt }) => (step === "poll" ? [sentAt] : []));
  return troubles.flatMap((trouble, index) => {
    const from = trouble + windowMs;
    const to = troubles[index + 1] ?? trouble;
    if (to - from < WINDOWS * windowMs || to - from > MAX_SPAN_MS) return [];
    const [told, ...others] = profilesInForce(record, from);
    const isWatched = [from, to - 1].every((at) => mustWatch(record, at) && isAwake(record, at));
    if (!told || others.length > 0 || !isWatched) return [];
    const wanted = Math.min(limit, (0.8 * windowMs) / INTERVAL_MS[told.profile.mode]);
    const allowed = (wanted * (to - from)) / windowMs;
    const used = polls.filter((at) => at >= from && at < to).length;
    if (used >= LEAST_USE * allowed - 1) return [];
    const says = `${used} polls where ${Math.round(allowed)} were allowed`;
    return [{ invariant: "quota kept", cause: `left unused (${kind})`, at: to, says } satisfies Violation];
  });
}

function judgeQuota({ platform, plan }: WeekRecord): Violation[] {
  const isForeseeable = !plan.items.some(({ kind }) => kind === "shrink quota" || kind === "own app");
  const refused = platform.log.find(({ operation, status }) => operation === "offers" && status === 429);
  if (!refused || !isForeseeable) return [];
  return [
    {
      invariant: "quota kept",
      cause: `quota ${plan.quota.kind}`,
      at: refused.at,
      says: `a poll was refused: ${plan.quota.limit} in ${plan.quota.windowMs / 1000} s`,
    },
  ];
}

function judgeStatedWaits({ network, plan, crashes }: WeekRecord): Violation[] {
  if (plan.items.some(({ kind }) => kind === "clock jump" || kind === "zombie")) return [];
  return network.wire.flatMap((entry, index) => {
    const { answeredAt, retryAfter, status } = entry;
    if (answeredAt === null || retryAfter === null || entry.step === "sms" || entry.step === "push")
      return [];
    const until = answeredAt + Math.min(Number(retryAfter) * 1000, MAX_WAIT_MS) - LEAVING_MS;
    if (crashes.some((crash) => Math.abs(crash - answeredAt) < 1_000)) return [];
    const early = network.wire
      .slice(index + 1)
      .find(
        ({ sentAt, step }) =>
          step !== "sms" && step !== "push" && sentAt > answeredAt + LEAVING_MS && sentAt < until,
      );
    if (!early) return [];
    const says = `${early.operation} after ${early.sentAt - answeredAt} ms of the ${retryAfter} s that a ${status} asked for`;
    return [
      {
        invariant: "quota kept",
        cause: `stated wait of a ${status}`,
        at: early.sentAt,
        says,
      } satisfies Violation,
    ];
  });
}
