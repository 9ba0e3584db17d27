import type { DurationMs, EpochMs } from "../../../db/shapes/units.ts";
import { fullJitter } from "../client/full-jitter.ts";

/** The codes of a server that stops: going away, restart, try again later (RFC 6455 and IANA's registry). */
const RESTART_CODES: ReadonlySet<number> = new Set([1001, 1012, 1013]);

/** The first try: one page, which can't know how many others lost their socket in the same second. */
const FIRST_MS = 10_000;
/** The first try after the server said that it stops, for everybody at once. */
const RESTART_MS = 20_000;
/** A page that has just loaded lost its socket alone, so it tries again soon. */
const LOADING_MS = 1_000;
const CAP_MS = 30_000;
/** A socket that was open for this long was fine. One that closes sooner counts as one more failure, whatever it sent. */
const STABLE_MS = 30_000;
/** When a region's network is back, all its devices come back at once. */
const ONLINE_MS = 3_000;

/** The tries of a page to connect. */
export type Tries = {
  /** The tries in a row without a socket that stayed open. */
  failures: number;
  /** Since when the current socket is open. */
  openedAt: EpochMs | null;
  /** The limit of the first wait, which doubles from there. */
  baseMs: DurationMs;
};

export const NO_TRIES: Tries = { failures: 0, openedAt: null, baseMs: LOADING_MS };

export function noteOpened(tries: Tries, now: EpochMs): Tries {
  return { ...tries, openedAt: now };
}

/**
 * The wait before the next try, and the tries after it.
 * @param code the code that the socket was closed with; null if none was opened
 * @param roll in [0, 1)
 */
export function nextTry(
  { failures, openedAt, baseMs }: Tries,
  { code, now, roll }: { code: number | null; now: EpochMs; roll: number },
): { tries: Tries; waitMs: DurationMs } {
  const wasStable = openedAt !== null && now - openedAt >= STABLE_MS;
  const isRestart = code !== null && RESTART_CODES.has(code);
  const base = isRestart ? RESTART_MS : openedAt === null ? baseMs : Math.max(baseMs, FIRST_MS);
  const failed = wasStable ? 0 : failures;
  return {
    tries: { failures: failed + 1, openedAt: null, baseMs: base },
    waitMs: fullJitter({ failures: failed, baseMs: base, capMs: CAP_MS }, roll),
  };
}

/** The wait of a device that is online again. @param roll in [0, 1) */
export function waitOnline(roll: number): DurationMs {
  return fullJitter({ failures: 0, baseMs: ONLINE_MS, capMs: ONLINE_MS }, roll);
}
