import type { WeekRecord } from "../week.ts";
import { isAwake, mustWatch } from "./calm.ts";
import type { Violation } from "./violation.ts";
import { profilesInForce } from "./told.ts";

/** An answer that is on its way to the object can't hold back a call that has left. */
const LEAVING_MS = 150;

/** Longer waits are obeyed for so long, then the platform is asked once more. */
const MAX_WAIT_MS = 4 * 3_600_000;
/** A wait that is stated as so long is not stretched: the next poll comes an interval after it at the latest. */
const SHORT_WAIT_S = 10;
const CLEAN_MS = 3_600_000;
const HARMLESS: ReadonlySet<string> = new Set([
  "offer",
  "fault",
  "dashboard",
  "reprice",
  "withdraw",
  "relist",
]);
const INTERVAL_MS = { lucrative: 3_000, secure: 8_000, masacre: 1_000 };
/** The runtime's limits for one object, and the longest time until it gives up a hanging call. */
const MAX_CONNECTIONS = 6;
const LONGEST_CALL_MS = 120_000;

/** The waits that the platform stated, and the connections that the runtime has. */
export function judgeWaits(record: WeekRecord): Violation[] {
  return [...judgeStatedWaits(record), ...judgeShortWaits(record), ...judgeConnections(record)];
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
    const { answeredAt, waitSeconds, status } = entry;
    if (answeredAt === null || waitSeconds === null || entry.step === "sms" || entry.step === "push")
      return [];
    const until = answeredAt + Math.min(waitSeconds * 1000, MAX_WAIT_MS) - LEAVING_MS;
    if (crashes.some((crash) => Math.abs(crash - answeredAt) < 1_000)) return [];
    const early = network.wire
      .slice(index + 1)
      .find(
        ({ sentAt, step }) =>
          step !== "sms" && step !== "push" && sentAt > answeredAt + LEAVING_MS && sentAt < until,
      );
    if (!early) return [];
    const says = `${early.operation} after ${early.sentAt - answeredAt} ms of the ${waitSeconds} s that a ${status} asked for`;
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

/** The first refusal in an hour that states a short wait holds the polls up no longer than that. */
function judgeShortWaits(record: WeekRecord): Violation[] {
  const { network, plan, lateAlarms, crashes, worker, hand } = record;
  const changes = [
    ...crashes,
    ...worker.told.flatMap(({ sentAt, returnedAt }) => [sentAt, returnedAt ?? sentAt]),
    ...hand.links.flatMap(({ from, to }) => [from, to ?? from]),
    ...plan.items.flatMap(({ kind, at }) => (HARMLESS.has(kind) ? [] : [at])),
  ];
  if (plan.quota.kind !== "none" || plan.items.some(({ kind }) => kind === "clock jump")) return [];
  return network.wire.flatMap((entry) => {
    const { answeredAt, waitSeconds, status, step } = entry;
    if (step !== "poll" || status !== 429 || answeredAt === null || waitSeconds === null) return [];
    const [told, ...others] = profilesInForce(record, answeredAt);
    if (waitSeconds > SHORT_WAIT_S || !told || others.length > 0) return [];
    const by = answeredAt + waitSeconds * 1000 + 1.2 * INTERVAL_MS[told.profile.mode] + 2_000;
    const isDisturbed =
      network.wire.some(
        ({ fault, sentAt }) =>
          fault !== null && sentAt !== entry.sentAt && sentAt > answeredAt - CLEAN_MS && sentAt < by,
      ) ||
      changes.some((at) => at > answeredAt - 60_000 && at < by) ||
      lateAlarms.some(({ at, byMs }) => at > answeredAt - byMs && at < by);
    const isWatched = [answeredAt, by].every((at) => mustWatch(record, at) && isAwake(record, at));
    if (isDisturbed || !isWatched) return [];
    if (
      network.wire.some(({ step: other, sentAt }) => other === "poll" && sentAt > answeredAt && sentAt < by)
    )
      return [];
    const says = `no poll by ${by - answeredAt} ms after a refusal that asked for ${waitSeconds} s`;
    return [
      { invariant: "a healthy platform is polled", cause: "short wait", at: by, says } satisfies Violation,
    ];
  });
}
