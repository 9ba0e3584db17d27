const BASE_MS = 100;
const JITTER_MS = 100;
const MAX_DELAY_MS = 5000;

/**
 * How long to wait after the nth failed try, counted from 1; null if it was the last. The identity library's
 * renewals and revocations use the same delays.
 */
export function retryDelayMs(attempt: number, roll: number): number | null {
  const delayMs = 2 ** attempt * BASE_MS + roll * JITTER_MS;
  return delayMs > MAX_DELAY_MS ? null : delayMs;
}
