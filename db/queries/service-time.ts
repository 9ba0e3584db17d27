import type { EpochMs } from "../shapes/units.ts";

/** One entry of the service ledger. */
export type ServiceCredit = { durationMs: number; at: EpochMs };

/**
 * The end of the paid time: each credit, in order, extends the later of its own instant and the end so far.
 * Null if nothing was ever credited.
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
