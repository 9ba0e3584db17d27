/** How far the server's clock is ahead of this device's, in ms. */
let offsetMs = 0;
const followers = new Set<() => void>();

/**
 * Notes the server's instant of an answer that has arrived now. A clock that agrees with it counts as right: the answer's way,
 * and the wait for the code that reads it, are no fault of the clock.
 * @param askedAt when the page sent the call, or earlier, on this device's clock
 */
export function noteServerTime(at: number, askedAt: number): void {
  offsetMs = Math.min(Math.max(0, at - Date.now()), at - askedAt);
  for (const follow of followers) follow();
}

/** Calls back after each of the server's instants that was noted, until it is stopped. */
export function followServerClock(onNoted: () => void): () => void {
  followers.add(onNoted);
  return () => void followers.delete(onNoted);
}

/**
 * The server's time of an instant on this device's clock, epoch ms. Nobody sets the clocks of all devices: what the server
 * sends and accepts is compared with its own.
 */
export function toServerTime(deviceTime: number): number {
  return deviceTime + offsetMs;
}

/** The time now, on the server's clock; before its first answer, on this device's. Epoch ms. */
export function serverNow(): number {
  return toServerTime(Date.now());
}
