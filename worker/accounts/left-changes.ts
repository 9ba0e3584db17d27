import type { AccountChange } from "../../db/queries/accounts/account-changes.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** No outage that passes by itself lasts so long: an operator has to look. */
const STUCK_MS = HOUR_MS;

/** The changes of accounts that are due: a call has a minute for its own, and one that failed rests until the next run. */
export function dueAt(now: EpochMs): { before: EpochMs; triedBefore: EpochMs } {
  return { before: now - MINUTE_MS, triedBefore: now - MINUTE_MS / 2 };
}

/** Whether a change that fails has failed before, and came long ago. */
export function isStuck(
  { triedAt, changedAt }: Pick<AccountChange, "triedAt" | "changedAt">,
  now: EpochMs,
): boolean {
  return triedAt > 0 && changedAt <= now - STUCK_MS;
}

/** An account's change fails for so long that somebody has to look. */
export class UnfollowedChangeError extends Error {
  override name = "UnfollowedChangeError";
}
