import { vi } from "vitest";

/** Longer timers are time limits, not waits. */
const LONGEST_WAIT_MS = 5_000;

/** Makes waits between retries end immediately, until globals are restored. */
export function skipTimers(): void {
  const { setTimeout } = globalThis;
  vi.stubGlobal("setTimeout", (run: () => void, lengthMs = 0, ...given: []) =>
    setTimeout(run, lengthMs > LONGEST_WAIT_MS ? lengthMs : 0, ...given),
  );
}
