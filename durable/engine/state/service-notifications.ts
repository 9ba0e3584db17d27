import { updateState, type Transition } from "./transition.ts";
import type { DriverState, ExpiryWarnings } from "./types.ts";
import type { Announcement } from "../../../db/shapes/announcement.ts";
import type { DriverNews } from "../../../db/shapes/driver-news.ts";
import type { Profile, ServiceChange } from "../../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";

/** How long before the end of the paid time the driver is warned. */
const EXPIRY_WARNINGS_MS: readonly DurationMs[] = [DAY_MS, HOUR_MS];
/** How long after its time a renewal may still be charged: quiet hours hold it back. */
const RENEWAL_HOLD_MS: DurationMs = 12 * HOUR_MS;
/** More than can be undelivered at once. */
const MAX_SEEN_CHANGES = 100;

/**
 * Warns the driver a day and an hour before the paid time ends, once each per end. A threshold that had already
 * passed when the end became known gives no warning: the driver has just learned of that end.
 */
export function warnOfExpiry(transition: Transition): void {
  const { now } = transition.ctx;
  const endsAt = transition.state.profile?.serviceUntil ?? null;
  const known = transition.state.expiryWarnings;
  if (endsAt !== known.endsAt) {
    const thresholdsMs = endsAt === null ? [] : EXPIRY_WARNINGS_MS.filter((before) => endsAt - before > now);
    return updateState(transition, {
      expiryWarnings: { endsAt, thresholdsMs, isEndTold: false, renewalAt: null },
    });
  }
  if (endsAt === null || isPaused(transition.state.profile, now) || now < heldUntil(known)) return;
  const due = known.thresholdsMs.filter((before) => endsAt - before <= now);
  if (due.length === 0) return;
  updateState(transition, {
    expiryWarnings: {
      ...known,
      thresholdsMs: known.thresholdsMs.filter((before) => !due.includes(before)),
    },
  });
  if (now >= endsAt || transition.state.profile?.waitingForSpot) return;
  transition.log.push({ kind: "service_ending", at: now, endsAt });
  transition.notifications.push({ kind: "service_ending", endsAt, remainingMs: Math.min(...due) });
}

/**
 * Until when the day's warning waits, since it would ask for what a renewal is about to buy: never longer than until that of
 * the last hour.
 */
function heldUntil({ endsAt, renewalAt }: ExpiryWarnings): EpochMs {
  return renewalAt === null || endsAt === null ? 0 : Math.min(renewalAt + RENEWAL_HOLD_MS, endsAt - HOUR_MS);
}

/** Notifies the driver that the service has ended, once per end, and each time that the driver comes to wait for a spot. */
export function notifyOfEnd(transition: Transition, { waitingForSpot }: { waitingForSpot: boolean }): void {
  const { expiryWarnings } = transition.state;
  if (expiryWarnings.isEndTold && !waitingForSpot) return;
  updateState(transition, { expiryWarnings: { ...expiryWarnings, isEndTold: true } });
  transition.notifications.push({ kind: "no_service", waitingForSpot });
}

/** When the next warning is due; null if there is none. In a pause of the service it waits for the end of that. */
export function nextExpiryWarningAt({ profile, expiryWarnings }: DriverState): EpochMs | null {
  const { endsAt, thresholdsMs } = expiryWarnings;
  if (endsAt === null || thresholdsMs.length === 0) return null;
  const dueAt = Math.max(endsAt - Math.max(...thresholdsMs), heldUntil(expiryWarnings));
  return Math.max(dueAt, profile?.pausedUntil ?? 0);
}

/** Whether the driver's service is paused. */
export function isPaused(profile: Profile | null, now: EpochMs): boolean {
  return (profile?.pausedUntil ?? 0) > now;
}

/** Notifies the driver once of each service change, however often it is delivered. */
export function applyServiceChanges(transition: Transition, serviceChanges: readonly ServiceChange[]): void {
  const endsAt = transition.state.profile?.serviceUntil ?? null;
  const until = endsAt !== null && endsAt > transition.ctx.now ? endsAt : null;
  for (const change of takeUnseen(transition, serviceChanges)) {
    transition.notifications.push({ kind: "service_changed", change, until });
    if (change.kind !== "renewal_ahead") continue;
    const { expiryWarnings } = transition.state;
    updateState(transition, { expiryWarnings: { ...expiryWarnings, renewalAt: change.chargeAt ?? null } });
  }
}

/** Notifies the driver once of each piece of news, however often it is delivered. */
export function applyNews(transition: Transition, given: readonly DriverNews[]): void {
  for (const { source: _source, ...news } of takeUnseen(transition, given))
    transition.notifications.push({ kind: "news", news });
}

/** Notifies the driver once of an announcement. */
export function applyAnnouncement(transition: Transition, announcement: Announcement): void {
  for (const told of takeUnseen(transition, [{ source: `announcement:${announcement.id}`, announcement }]))
    transition.notifications.push({ kind: "announcement", announcement: told.announcement });
}

/** Those that the driver has not heard of, which they have from now on. */
function takeUnseen<Told extends { source: string }>(transition: Transition, given: readonly Told[]): Told[] {
  const { seenServiceChanges } = transition.state;
  const unseen = given.filter(({ source }) => !seenServiceChanges.includes(source));
  if (unseen.length === 0) return unseen;
  const seen = [...seenServiceChanges, ...unseen.map(({ source }) => source)];
  updateState(transition, { seenServiceChanges: seen.slice(-MAX_SEEN_CHANGES) });
  return unseen;
}
