import type { WeekRecord } from "../week.ts";
import type { Violation } from "./judge.ts";

/** An answer that is on its way to the object can't hold back a call that has left. */
const LEAVING_MS = 150;

/** Longer waits are obeyed for so long, then the platform is asked once more. */
const MAX_WAIT_MS = 4 * 3_600_000;

/** The waits that the platform stated. */
export function judgeWaits({ network, plan, crashes }: WeekRecord): Violation[] {
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
