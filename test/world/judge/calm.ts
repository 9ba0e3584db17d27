import { HORIZON_MS } from "../settings.ts";
import type { PlatformOffer } from "../platform/model.ts";
import type { WeekRecord } from "../week.ts";
import { isCapturing, isWanted, profilesInForce } from "./told.ts";

const HOUR_MS = 3_600_000;
/** A ticker that is lost costs the objects that it called a minute at most. */
const TICKER_GUARD_MS = 60_000;
const MAX_WAIT_MS = 4 * HOUR_MS;
/** Marks of a long wait, so that none of it is taken for silence. */
const MARK_MS = 30_000;
/** The reasons that may keep the object from polling for a while. */
const UNSETTLING = [
  "clock jump",
  "d1 down",
  "selfie",
  "shrink quota",
  "own app",
  "zombie",
  "crash",
  "service",
  "filters",
];
/** An offer that nobody's minimum refuses. */
const HIGH_PAY_CENTS = 900_000;

/** The account that is linked, as far as the driver knows; not around the edges. */
function isLinked({ hand, platform }: WeekRecord, at: number): boolean {
  const link = hand.links.find(({ from, to }) => from + 2_000 <= at && (to === null || at < to));
  if (!link) return false;
  return !platform.account(link.email).endings.some((endedAt) => endedAt >= link.from && endedAt <= at);
}

/** Whether offers must be watched for at an instant, by what the object was certainly told. */
export function mustWatch(record: WeekRecord, at: number): boolean {
  const inForce = profilesInForce(record, at);
  return (
    !record.hand.isDeleted &&
    inForce.length > 0 &&
    inForce.every(({ profile }) => isCapturing(profile, at + 10_000)) &&
    isLinked(record, at) &&
    !isFull(record, at)
  );
}

/** Whether the driver was told that a limit is reached. That none is broken is another judge's matter. */
function isFull({ plan, log }: WeekRecord, at: number): boolean {
  if (!plan.limits) return false;
  const known = log.findLast(({ event }) => event.kind === "phase_changed" && event.at <= at)?.event;
  return known?.kind === "phase_changed" && known.phase.kind === "limit_reached";
}

/** Instants at which something happened that may keep the object from polling or accepting for a while, in order. */
export function troublesOf(record: WeekRecord): number[] {
  const { plan, worker, hand, crashes } = record;
  return [
    plan.startsAt,
    ...plan.items.flatMap(({ kind, at }) => (UNSETTLING.includes(kind) ? [at] : [])),
    ...worker.told.flatMap(({ sentAt, returnedAt }) => [sentAt, returnedAt ?? sentAt]),
    ...hand.links.flatMap(({ from, to }) => [from, to ?? from]),
    ...hand.disturbances,
    ...crashes,
    ...(plan.tickerEnds ?? []).flatMap((at) => [at, at + TICKER_GUARD_MS]),
    ...holdsOf(record),
  ].toSorted((one, other) => one - other);
}

/** Whether a ticker was lost in a span: the alarms of the objects that it called go on up to a minute later. */
export function isTickerLost(
  { tickerEnds = [] }: WeekRecord["plan"],
  { from, to }: { from: number; to: number },
): boolean {
  return tickerEnds.some((at) => at > from - TICKER_GUARD_MS && at < to);
}

/** The latest trouble before an instant. */
export function calmFrom(troubles: readonly number[], at: number): number {
  return troubles.findLast((trouble) => trouble <= at) ?? -Infinity;
}

/** The waits that the platform asked for, or that a refusal without a word makes wise. */
function holdsOf({ network }: WeekRecord): number[] {
  let climbs = 0;
  let isRefused = false;
  return network.wire.flatMap(({ step, answeredAt, status, waitSeconds }) => {
    if (answeredAt === null) return [];
    if (step === "poll" && (status === 200 || status === 304)) isRefused = false;
    if (status !== 429 && status !== 503) return [];
    // A wait that was stated and did not help is no better than none.
    const isUnhelpful = status === 429 && (waitSeconds === null || isRefused);
    if (isUnhelpful) climbs += 1;
    if (status === 429) isRefused = true;
    const statedMs = (waitSeconds ?? 0) * 1000;
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(statedMs, isUnhelpful ? 30_000 * 2 ** climbs : 0));
    return Array.from({ length: Math.ceil(waitMs / MARK_MS) + 1 }, (_, step) => answeredAt + step * MARK_MS);
  });
}

/** Whether an offer that fits the schedule can be open: one is made up for every other minute ahead. */
export function isAwake(record: WeekRecord, at: number): boolean {
  const [told] = profilesInForce(record, at);
  if (!told) return false;
  const { filters } = told.profile;
  return filters.warehouses
    .filter(({ selected, warehouseId }) => selected && record.plan.timeZones[Number(warehouseId.slice(1))])
    .some(({ warehouseId, bufferMinutes }) => {
      const last = at + HORIZON_MS - 120_000;
      for (let startsAt = at + (bufferMinutes + 2) * 60_000; startsAt < last; startsAt += 120_000) {
        const offer: PlatformOffer = {
          offerId: "made_up",
          warehouseId,
          serviceType: "whole_foods",
          startsAt,
          endsAt: startsAt + 2 * HOUR_MS,
          payCents: HIGH_PAY_CENTS,
          currency: "USD",
          expiresAt: startsAt,
          isListed: true,
        };
        if (isWanted(record, { profile: told.profile, offer, at })) return true;
      }
      return false;
    });
}
