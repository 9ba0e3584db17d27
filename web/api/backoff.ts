const BASE_MS = 100;
const JITTER_MS = 100;
const MAX_DELAY_MS = 5000;

/**
 * How long to wait after the failed try of that number, counted from 1; null where it was the last. The identity
 * library goes by the same for its renewals and revocations, so that the provider sees one habit.
 */
export function retryDelayMs(attempt: number, roll: number): number | null {
  const delayMs = 2 ** attempt * BASE_MS + roll * JITTER_MS;
  return delayMs > MAX_DELAY_MS ? null : delayMs;
}
