import type { WeekRecord } from "../week.ts";
import type { Violation } from "./judge.ts";

/** An answer that is on its way to the object can't hold back a call that has left. */
const LEAVING_MS = 150;

/** Longer waits are obeyed for so long, then the platform is asked once more. */
const MAX_WAIT_MS = 4 * 3_600_000;
/** What the runtime has for one object, and how long it may be until a call that hangs is given up. */
const MAX_CONNECTIONS = 6;
const LONGEST_CALL_MS = 120_000;

/** The waits that the platform stated, and the connections that the runtime has. */
export function judgeWaits(record: WeekRecord): Violation[] {
  return [...judgeStatedWaits(record), ...judgeConnections(record)];
}

/** Six requests of an object may be under way at once: a seventh would wait for any of them. */
function judgeConnections({ network }: WeekRecord): Violation[] {
  const { wire } = network;
  const crowded = wire.find((entry, index) => {
    const since = entry.sentAt - LONGEST_CALL_MS;
    let open = 1;
    for (let earlier = index - 1; earlier >= 0; earlier -= 1) {
      const other = wire[earlier];
      if (!other || other.sentAt < since) break;
      const isOpen = other.lifeId === entry.lifeId && (other.endedAt ?? Infinity) > entry.sentAt;
      if (isOpen) open += 1;
    }
    return open > MAX_CONNECTIONS;
  });
  if (!crowded) return [];
  const says = `${crowded.operation} was the seventh request at once`;
  return [{ invariant: "nothing runs in circles or breaks", cause: "connections", at: crowded.sentAt, says }];
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
