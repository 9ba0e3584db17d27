import type { WireEntry } from "../host/network.ts";
import type { WeekRecord } from "../week.ts";
import { isAwake, isTickerLost, mustWatch, troublesOf } from "./calm.ts";
import type { Violation } from "./violation.ts";
import { profilesInForce } from "./told.ts";

/** A platform that has been healthy for so long is polled. */
const PATIENCE_MS = 90_000;
/** After a short selfie, polls go on this soon. */
const SELFIE_PATIENCE_MS = 25_000;
const SHORT_SELFIE_MS = 60_000;
/** Once the driver is back at the page, at once; but the platform is asked no more often than every second. */
const RETURN_PATIENCE_MS = 1_000;
const VERIFICATION_GAP_MS = 1_100;
const HOUR_MS = 3_600_000;
/** Reads of the blocks in the last hour of a week by a driver who does not look for offers. */
const MAX_IDLE_READS = 10;
/** The mean of so many gaps lies within half a percent, nine times in ten. */
const LEAST_TURBO_GAPS = 400;
const TURBO_TOLERANCE = 0.025;
/** Of the polls that a mode makes. */
const LEAST_WHILE_UNREADABLE = 0.75;
const INTERVAL_MS = { lucrative: 3_000, secure: 8_000, masacre: 1_000 };

export function judgeLiveness(record: WeekRecord): Violation[] {
  return [
    ...judgeAlarms(record),
    ...judgeAttempts(record),
    ...judgePolls(record),
    ...judgePollsBesideAccepts(record),
    ...judgePollsBesideReads(record),
    ...judgeSelfies(record),
    ...judgeTurbo(record),
  ];
}

function judgeAlarms(record: WeekRecord): Violation[] {
  const { alarms } = record;
  return alarms.flatMap(({ at, isSet }, index) => {
    const before = alarms[index - 1];
    if (isSet || !before || before.isSet || !mustWatch(record, at) || !mustWatch(record, before.at))
      return [];
    const says = `no alarm since ${before.at}`;
    return [{ invariant: "switched on means an alarm", cause: "alarm", at, says } satisfies Violation];
  });
}

function judgeAttempts(record: WeekRecord): Violation[] {
  const { network, won, lost, hand, plan } = record;
  if (hand.isDeleted) return [];
  const settled = new Set<string>(
    [...won, ...lost].flatMap(({ event }) =>
      event.kind === "attempt_settled" ? [event.attempt.attemptId] : [],
    ),
  );
  const keys = new Set(network.wire.flatMap(({ key }) => key ?? []));
  const reads = network.wire.filter(
    ({ step, sentAt }) => step === "blocks" && sentAt > plan.endsAt - HOUR_MS && !mustWatch(record, sentAt),
  );
  const violations = [...keys]
    .filter((key) => !settled.has(key))
    .map((key): Violation => {
      const at = network.wire.find((entry) => entry.key === key)?.sentAt ?? 0;
      return { invariant: "every attempt settles", cause: "open", at, says: `${key} is in no list` };
    });
  if (reads.length > MAX_IDLE_READS) {
    const says = `the blocks were read ${reads.length} times in the last hour`;
    violations.push({ invariant: "every attempt settles", cause: "reads", at: plan.endsAt, says });
  }
  return violations;
}

function pollsOf({ network }: WeekRecord): number[] {
  return network.wire.flatMap(({ step, sentAt }) => (step === "poll" ? [sentAt] : []));
}

function judgePolls(record: WeekRecord): Violation[] {
  const { plan } = record;
  const patience = PATIENCE_MS + (plan.quota.kind === "none" ? 0 : plan.quota.windowMs);
  const moments = [...troublesOf(record), ...pollsOf(record)].toSorted((one, other) => one - other);
  for (const [index, moment] of moments.entries()) {
    const next = moments[index + 1] ?? plan.endsAt;
    if (next - moment <= patience) continue;
    const at = moment + patience;
    const isDue = [moment + 1, at].every((instant) => mustWatch(record, instant) && isAwake(record, instant));
    if (!isDue) continue;
    const says = `no poll for ${Math.round((next - moment) / 1000)} s since ${moment}`;
    return [{ invariant: "a healthy platform is polled", cause: causeOf(record, at), at, says }];
  }
  return [];
}

function causeOf({ network, platform }: WeekRecord, at: number): string {
  const recent = network.wire.filter(({ sentAt }) => sentAt <= at);
  const gateway401 = recent.findLast(({ status, fault }) => status === 401 && fault === "401 from a gateway");
  const isPolledSince = recent.some(
    ({ step, status, sentAt }) => step === "poll" && status === 200 && sentAt > (gateway401?.sentAt ?? 0),
  );
  if (gateway401 && !isPolledSince) return "after 401 from a gateway";
  const isStrange = [...platform.accounts.values()].some(({ blocks }) =>
    blocks.some(({ status }) => status === "on_break"),
  );
  if (isStrange && recent.at(-1)?.operation === "blocks") return "strange block";
  const last = recent.at(-1);
  return last ? `after ${last.operation} ${last.fault ?? last.status ?? "without answer"}` : "never polled";
}

/** The gaps of turbo lie around its interval: their mean is the interval, not what a cut at the floor makes of it. */
function judgeTurbo(record: WeekRecord): Violation[] {
  const { plan, network } = record;
  if (plan.quota.kind !== "none") return [];
  const polls = network.wire.filter(({ step, isFromOldInstance }) => step === "poll" && !isFromOldInstance);
  // The object requests a list that is too long for one answer in parts, which are one poll.
  const latest = new Map<string | null, WireEntry>();
  const gaps = polls.flatMap((poll) => {
    const before = latest.get(poll.selection);
    latest.set(poll.selection, poll);
    if (!before || before.lifeId !== poll.lifeId || before.status === 401) return [];
    const isTurbo = profilesInForce(record, before.sentAt).every(({ profile }) => profile.mode === "masacre");
    const gap = poll.sentAt - before.sentAt;
    return isTurbo && before.fault === null && gap < 1.5 * plan.pollFloorMs ? [gap] : [];
  });
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  if (gaps.length < LEAST_TURBO_GAPS || Math.abs(mean / plan.pollFloorMs - 1) < TURBO_TOLERANCE) return [];
  const says = `${gaps.length} polls were ${mean.toFixed(0)} ms apart`;
  return [{ invariant: "a healthy platform is polled", cause: "turbo", at: polls.at(-1)?.sentAt ?? 0, says }];
}

/** An accept that takes long doesn't hold up the polls. */
function judgePollsBesideAccepts(record: WeekRecord): Violation[] {
  const { network, plan, crashes } = record;
  if (plan.quota.kind !== "none") return [];
  const polls = pollsOf(record);
  return network.wire.flatMap((entry) => {
    const { step, sentAt, answeredAt, fault } = entry;
    if (step !== "accept" || fault !== null || answeredAt === null) return [];
    const [told, ...others] = profilesInForce(record, sentAt);
    if (!told || others.length > 0) return [];
    const patience = 1.2 * INTERVAL_MS[told.profile.mode] + 1_000;
    const isDisturbed =
      crashes.some((crash) => crash > sentAt - 60_000 && crash < answeredAt) ||
      network.wire.some(
        (other) => other.fault !== null && other.sentAt > sentAt - 60_000 && other.sentAt < answeredAt,
      ) ||
      plan.items.some(
        ({ at, kind }) => kind !== "offer" && at > sentAt - 10_000 && at < answeredAt && kind !== "slow",
      );
    if (isDisturbed || answeredAt - sentAt < 2 * patience || !mustWatch(record, answeredAt)) return [];
    if (polls.some((poll) => poll > sentAt && poll < answeredAt)) return [];
    const says = `no poll during the ${answeredAt - sentAt} ms of an accept`;
    return [
      {
        invariant: "a healthy platform is polled",
        cause: "slow accept",
        at: answeredAt,
        says,
      } satisfies Violation,
    ];
  });
}

/** Blocks that can't be read don't hold up the polls. */
function judgePollsBesideReads(record: WeekRecord): Violation[] {
  const { network, plan } = record;
  if (plan.quota.kind !== "none") return [];
  const troubles = troublesOf(record);
  const polls = pollsOf(record);
  return plan.items.flatMap((item) => {
    if (item.kind !== "fault" || item.step !== "blocks" || item.fault !== "500 without effect") return [];
    const [from, to] = [item.at, item.at + item.forMs];
    const [told, ...others] = profilesInForce(record, from);
    const isWatched = [from, to].every((at) => mustWatch(record, at) && isAwake(record, at));
    const isDisturbed =
      troubles.some((at) => at > from - 1_000 && at < to && at !== from) ||
      isTickerLost(plan, { from, to }) ||
      record.lateAlarms.some(({ at }) => at > from && at < to) ||
      network.wire.some(
        ({ step, fault, sentAt }) =>
          step !== "blocks" && fault !== null && sentAt > from - 60_000 && sentAt < to,
      );
    if (!told || others.length > 0 || !isWatched || isDisturbed || item.share < 1) return [];
    const found = polls.filter((at) => at > from && at < to).length;
    const least = (LEAST_WHILE_UNREADABLE * item.forMs) / INTERVAL_MS[told.profile.mode] - 1;
    if (found >= least) return [];
    const says = `${found} polls in the ${item.forMs / 1000} s in which the blocks could not be read`;
    return [
      { invariant: "a healthy platform is polled", cause: "held up", at: to, says } satisfies Violation,
    ];
  });
}

/** Once the driver has taken the selfie, the polls go on soon. */
function judgeSelfies(record: WeekRecord): Violation[] {
  const { plan, network, crashes } = record;
  return plan.items.flatMap((item) => {
    if (item.kind !== "selfie" || item.forMs > SHORT_SELFIE_MS || plan.quota.kind !== "none") return [];
    const doneAt = item.at + item.forMs;
    const by = doneAt + SELFIE_PATIENCE_MS;
    const wasAsked = network.wire.some(
      ({ code, answeredAt }) =>
        code === "verification_required" &&
        answeredAt !== null &&
        answeredAt >= item.at &&
        answeredAt <= doneAt,
    );
    const isDisturbed =
      crashes.some((crash) => crash > item.at - 60_000 && crash < by) ||
      isTickerLost(plan, { from: item.at, to: by }) ||
      network.wire.some(({ fault, sentAt }) => fault !== null && sentAt > item.at - 60_000 && sentAt < by) ||
      plan.items.some(
        ({ at, kind }) => kind === "selfie" && at !== item.at && Math.abs(at - item.at) < 300_000,
      );
    if (
      !wasAsked ||
      isDisturbed ||
      !mustWatch(record, item.at) ||
      !mustWatch(record, by) ||
      !isAwake(record, by)
    )
      return [];
    const polled = pollsOf(record).find((poll) => poll > doneAt) ?? Infinity;
    const backAt = record.dashboard.returns.find((at) => at > doneAt && at < polled) ?? Infinity;
    const wasJustAsked = network.wire.some(
      ({ operation, sentAt }) =>
        operation === "driver" && sentAt > backAt - VERIFICATION_GAP_MS && sentAt <= backAt,
    );
    if (polled > by) {
      const says = "no poll within 25 s after the selfie";
      return [
        { invariant: "a healthy platform is polled", cause: "selfie", at: by, says } satisfies Violation,
      ];
    }
    // No sooner than the mode's own interval after the poll that asked for the selfie.
    const lastAt = pollsOf(record).findLast((poll) => poll <= backAt) ?? 0;
    const intervals = profilesInForce(record, backAt).map(({ profile }) => INTERVAL_MS[profile.mode]);
    const dueAt = Math.max(backAt, lastAt + 1.2 * Math.max(...intervals));
    if (wasJustAsked || polled <= dueAt + RETURN_PATIENCE_MS) return [];
    const says = `the polls went on ${polled - backAt} ms after the driver came back from the selfie`;
    return [
      {
        invariant: "a healthy platform is polled",
        cause: "back from the selfie",
        at: polled,
        says,
      } satisfies Violation,
    ];
  });
}
