import type { WeekRecord } from "../week.ts";
import type { Violation } from "./judge.ts";

/** An answer that is on its way to the object can't hold back a call that has left. */
const LEAVING_MS = 150;

/** What the platform asked for: its quota, and the waits that it stated. */
export function judgeWaits(record: WeekRecord): Violation[] {
  return [...judgeQuota(record), ...judgeStatedWaits(record)];
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
    const until = answeredAt + Number(retryAfter) * 1000 - LEAVING_MS;
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
