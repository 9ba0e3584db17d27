import type { RenewalRow } from "../../../db/queries/payments/renewals.ts";
import { HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";

/** A day before the end, and an hour ahead of the text that says that service ends in a day. */
const CHARGE_AHEAD_MS = 25 * HOUR_MS;
/** A day before the charge. */
const NOTICE_AHEAD_MS = CHARGE_AHEAD_MS + 24 * HOUR_MS;
/** Nothing is charged sooner after the driver was told. */
const MIN_NOTICE_MS = 12 * HOUR_MS;
/** How long the driver's quiet hours may hold a message or a charge back. */
const QUIET_HOLD_MS = 11 * HOUR_MS;
const RECHECK_MS = 15 * MINUTE_MS;

/**
 * The next work on a renewal that is on. `ended`: service ended without it. `untold`: nothing confirmed the notice in time,
 * or it is too late for one.
 */
export type RenewalStep =
  | { kind: "wait"; until: EpochMs }
  | { kind: "notify"; chargeAt: EpochMs }
  | { kind: "charge" }
  | { kind: "untold" }
  | { kind: "ended" };

type Noticed = Pick<RenewalRow, "noticedEnd" | "noticedAt" | "noticeConfirmedAt">;

/**
 * The next step of a renewal: the driver is told a day before the charge, and charged a day before service ends, half a
 * day or more after a channel confirmed that they were told.
 * @param isQuiet whether the driver has quiet hours now, which neither text nor charge disturbs
 */
export function nextRenewalStep(
  renewal: Noticed,
  { serviceUntil, isQuiet, now }: { serviceUntil: EpochMs | null; isQuiet: boolean; now: EpochMs },
): RenewalStep {
  if (serviceUntil === null || now >= serviceUntil) return { kind: "ended" };
  const isNoticed = renewal.noticedEnd === serviceUntil;
  const { noticeConfirmedAt } = renewal;
  if (isNoticed && noticeConfirmedAt === null) {
    const lastAt = serviceUntil - MIN_NOTICE_MS;
    if (now >= lastAt) return { kind: "untold" };
    return { kind: "wait", until: Math.min(lastAt, now + RECHECK_MS) };
  }
  const dueAt = isNoticed ? chargeTime(noticeConfirmedAt, serviceUntil) : serviceUntil - NOTICE_AHEAD_MS;
  if (now < dueAt) return { kind: "wait", until: dueAt };
  if (isQuiet && now < dueAt + QUIET_HOLD_MS) return { kind: "wait", until: now + RECHECK_MS };
  if (isNoticed) return { kind: "charge" };
  const chargeAt = chargeTime(now, serviceUntil);
  // Turned on too late, or days went: no notice names a charge that never comes.
  return chargeAt < serviceUntil ? { kind: "notify", chargeAt } : { kind: "untold" };
}

/** When a renewal that is on will be charged; null if that is too late by now. */
export function nextChargeAt(renewal: Noticed, serviceUntil: EpochMs | null, now: EpochMs): EpochMs | null {
  if (serviceUntil === null) return null;
  const isNoticed = renewal.noticedEnd === serviceUntil;
  const toldAt = isNoticed
    ? (renewal.noticeConfirmedAt ?? Math.max(now, renewal.noticedAt ?? 0))
    : Math.max(now, serviceUntil - NOTICE_AHEAD_MS);
  const chargeAt = Math.max(now, chargeTime(toldAt, serviceUntil));
  return chargeAt < serviceUntil ? chargeAt : null;
}

function chargeTime(toldAt: EpochMs | null, serviceUntil: EpochMs): EpochMs {
  return Math.max(serviceUntil - CHARGE_AHEAD_MS, (toldAt ?? 0) + MIN_NOTICE_MS);
}

/** How long after a failed look the next one comes: 5 minutes, doubling up to an hour. */
export function renewalRetryMs(tries: number): DurationMs {
  return Math.min(5 * MINUTE_MS * 2 ** Math.max(0, tries - 1), HOUR_MS);
}
