import { updateState, type Transition } from "./transition.ts";
import type { DriverState } from "./types.ts";
import type { ServiceChange } from "../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";

/** How long before its end the driver is told. */
const EXPIRY_WARNINGS_MS: readonly DurationMs[] = [DAY_MS, HOUR_MS];
/** More than can be on its way at once. */
const MAX_SEEN_CHANGES = 100;

/**
 * Tells the driver a day and an hour before the paid time ends, once each per end. An end that is
 * learned of later than that is not warned of: who was just told of it knows.
 */
export function warnOfExpiry(transition: Transition): void {
  const { now } = transition.ctx;
  const endsAt = transition.state.profile?.serviceUntil ?? null;
  const known = transition.state.expiryWarnings;
  if (endsAt !== known.endsAt) {
    const thresholdsMs = endsAt === null ? [] : EXPIRY_WARNINGS_MS.filter((before) => endsAt - before > now);
    return updateState(transition, { expiryWarnings: { endsAt, thresholdsMs } });
  }
  if (endsAt === null) return;
  const due = known.thresholdsMs.filter((before) => endsAt - before <= now);
  if (due.length === 0) return;
  updateState(transition, {
    expiryWarnings: { endsAt, thresholdsMs: known.thresholdsMs.filter((before) => !due.includes(before)) },
  });
  if (now >= endsAt || transition.state.profile?.waitingForSpot) return;
  transition.log.push({ kind: "service_ending", at: now, endsAt });
  transition.notifications.push({ kind: "service_ending", endsAt, remainingMs: Math.min(...due) });
}

/** When the driver is next to be told; null where of nothing. */
export function nextExpiryWarningAt({
  expiryWarnings: { endsAt, thresholdsMs },
}: DriverState): EpochMs | null {
  return endsAt === null || thresholdsMs.length === 0 ? null : endsAt - Math.max(...thresholdsMs);
}

/** Tells the driver once of each thing that changed their service, however often it arrives. */
export function applyServiceChanges(transition: Transition, serviceChanges: readonly ServiceChange[]): void {
  const { seenServiceChanges, profile } = transition.state;
  const unseen = serviceChanges.filter(({ source }) => !seenServiceChanges.includes(source));
  if (unseen.length === 0) return;
  const endsAt = profile?.serviceUntil ?? null;
  const until = endsAt !== null && endsAt > transition.ctx.now ? endsAt : null;
  for (const { kind } of unseen)
    transition.notifications.push({ kind: "service_changed", change: kind, until });
  const seen = [...seenServiceChanges, ...unseen.map(({ source }) => source)];
  updateState(transition, { seenServiceChanges: seen.slice(-MAX_SEEN_CHANGES) });
}
