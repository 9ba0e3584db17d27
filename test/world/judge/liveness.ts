import type { WeekRecord } from "../week.ts";
import type { Violation } from "./judge.ts";
import { isCapturing, isWanted, profilesInForce } from "./told.ts";
import { HORIZON_MS } from "../settings.ts";
import type { PlatformOffer } from "../platform/model.ts";

/** A platform that has been healthy for so long is polled. */
const PATIENCE_MS = 90_000;
const HOUR_MS = 3_600_000;
/** Reads of the blocks in the last hour of a week, hours after the last switch-off. */
const MAX_IDLE_READS = 10;

export function judgeLiveness(record: WeekRecord): Violation[] {
  return [...judgeAlarms(record), ...judgeAttempts(record), ...judgePolls(record)];
}

/** The account that is linked, as far as the driver knows; null around the edges. */
function isLinked({ hand, platform, met: _met }: WeekRecord, at: number): boolean {
  const link = hand.links.find(({ from, to }) => from + 2_000 <= at && (to === null || at < to));
  if (!link) return false;
  const { endedAt } = platform.account(link.email);
  return endedAt === null || endedAt < link.from || at < endedAt;
}

/** Whether offers must be watched for at an instant, by what the object was certainly told. */
function mustWatch(record: WeekRecord, at: number): boolean {
  const inForce = profilesInForce(record, at);
  return (
    !record.hand.isDeleted &&
    inForce.length > 0 &&
    inForce.every(({ profile }) => isCapturing(profile, at + 10_000)) &&
    isLinked(record, at)
  );
}

function judgeAlarms(record: WeekRecord): Violation[] {
  const { alarms } = record;
  return alarms.flatMap(({ at, isSet }, index) => {
    const before = alarms[index - 1];
    if (isSet || !before || before.isSet || !mustWatch(record, at) || !mustWatch(record, before.at))
      return [];
    return [
      {
        invariant: "switched on means an alarm",
        cause: "alarm",
        at,
        says: `no alarm since ${before.at}`,
      } satisfies Violation,
    ];
  });
}

function judgeAttempts({ network, won, lost, hand, plan }: WeekRecord): Violation[] {
  if (hand.isDeleted) return [];
  const settled = new Set(
    [...won, ...lost].flatMap(({ event }) =>
      event.kind === "attempt_settled" ? [event.attempt.attemptId] : [],
    ),
  );
  const keys = new Set(network.wire.flatMap(({ key }) => key ?? []));
  const open = [...keys].filter((key) => !settled.has(key as never));
  const reads = network.wire.filter(
    ({ step, sentAt }) => step === "blocks" && sentAt > plan.endsAt - HOUR_MS,
  );
  const violations = open.map((key): Violation => {
    const at = network.wire.find((entry) => entry.key === key)?.sentAt ?? 0;
    return { invariant: "every attempt settles", cause: "open", at, says: `${key} is in no list` };
  });
  if (reads.length > MAX_IDLE_READS) {
    const says = `the blocks were read ${reads.length} times in the last hour`;
    violations.push({ invariant: "every attempt settles", cause: "reads", at: plan.endsAt, says });
  }
  return violations;
}

function judgePolls(record: WeekRecord): Violation[] {
  const { network, plan, crashes, hand } = record;
  const polls = network.wire.flatMap(({ step, sentAt }) => (step === "poll" ? [sentAt] : []));
  const changes = [
    plan.startsAt,
    ...plan.items.flatMap((item) => (isUnsettling(item.kind) ? [item.at] : [])),
    ...record.worker.told.flatMap(({ sentAt, returnedAt }) => [sentAt, returnedAt ?? sentAt]),
    ...hand.links.flatMap(({ from, to }) => [from, to ?? from]),
    ...hand.disturbances,
    ...crashes,
    ...holdsOf(record),
  ].toSorted((one, other) => one - other);
  const quotaMs = plan.quota.kind === "none" ? 0 : plan.quota.windowMs;
  const patience = PATIENCE_MS + quotaMs;
  const moments = [...changes, ...polls].toSorted((one, other) => one - other);
  for (const [index, moment] of moments.entries()) {
    const next = moments[index + 1] ?? plan.endsAt;
    if (next - moment <= patience) continue;
    const at = moment + patience;
    if (
      mustWatch(record, moment + 1) &&
      mustWatch(record, at) &&
      isAwake(record, moment + 1) &&
      isAwake(record, at)
    ) {
      return [
        {
          invariant: "a healthy platform is polled",
          cause: causeOf(record, moment),
          at,
          says: `no poll for ${Math.round((next - moment) / 1000)} s since ${moment}`,
        },
      ];
    }
  }
  return [];
}

function isUnsettling(kind: string): boolean {
  return [
    "clock jump",
    "d1 down",
    "selfie",
    "shrink quota",
    "own app",
    "slow",
    "zombie",
    "crash",
    "fault",
  ].includes(kind);
}

/** The ends of the waits that the platform asked for, or that a refusal without a word makes wise. */
function holdsOf({ network }: WeekRecord): number[] {
  let refusals = 0;
  return network.wire.flatMap(({ answeredAt, status, retryAfter }) => {
    if (answeredAt === null || (status !== 429 && status !== 503)) return [];
    if (status === 429) refusals += 1;
    const stated = Number(retryAfter ?? 0) * 1000;
    const ladder = status === 429 ? Math.min(4 * HOUR_MS, 30_000 * 2 ** refusals) : 0;
    const end = Math.max(stated, ladder);
    // Every half minute of the wait counts, so that none of it is taken for silence.
    return Array.from({ length: Math.ceil(end / 30_000) + 1 }, (_, step) => answeredAt + step * 30_000);
  });
}

function causeOf({ network }: WeekRecord, at: number): string {
  const last = network.wire.findLast(({ sentAt }) => sentAt <= at + PATIENCE_MS);
  return last ? `after ${last.operation} ${last.fault ?? last.status ?? "without answer"}` : "never polled";
}

/** Whether an offer that fits the schedule can be open: one is made up for every minute ahead. */
function isAwake(record: WeekRecord, at: number): boolean {
  const [told] = profilesInForce(record, at);
  if (!told) return false;
  const { filters } = told.profile;
  return filters.warehouses
    .filter(({ selected }) => selected)
    .some(({ warehouseId, bufferMinutes }) => {
      if (!record.plan.timeZones[Number(warehouseId.slice(1))]) return false;
      for (
        let startsAt = at + (bufferMinutes + 2) * 60_000;
        startsAt < at + HORIZON_MS - 120_000;
        startsAt += 120_000
      ) {
        const offer: PlatformOffer = {
          offerId: "made_up",
          warehouseId,
          serviceType: "whole_foods",
          startsAt,
          endsAt: startsAt + 2 * HOUR_MS,
          payCents: 900_000,
          currency: "USD",
          expiresAt: startsAt,
          isListed: true,
        };
        if (isWanted(record, { profile: told.profile, offer, at })) return true;
      }
      return false;
    });
}
