import type { EpochMs } from "../shapes/units.ts";

/** One entry of the service ledger. */
export type ServiceCredit = { durationMs: number; at: EpochMs };

/**
 * Until when service is paid for: each credit, in order, runs from the later of its own instant and
 * what was paid before (DESIGN 10). Null where nothing was ever credited.
 * @param credits oldest first
 */
export function serviceUntilOf(credits: readonly ServiceCredit[]): EpochMs | null {
  let until: EpochMs | null = null;
  for (const credit of credits) {
    if (credit.durationMs >= 0) until = Math.max(credit.at, until ?? credit.at) + credit.durationMs;
    else if (until !== null) until += credit.durationMs;
  }
  return until;
}
