import { vi } from "vitest";

/** What is longer is a limit and no wait. */
const LONGEST_WAIT_MS = 5_000;

/** Lets whoever waits between two tries go on at once, until globals are put back. */
export function skipTimers(): void {
  const { setTimeout } = globalThis;
  vi.stubGlobal("setTimeout", (run: () => void, lengthMs = 0, ...given: []) =>
    setTimeout(run, lengthMs > LONGEST_WAIT_MS ? lengthMs : 0, ...given),
  );
}
