import type { Mode } from "../../db/shapes/work/filters.ts";
import { startSandbox } from "../sandbox-server.ts";
import { startLoopbackApp } from "../support/runtime/built-app.ts";
import { postJson } from "../support/sandbox-client.ts";
import { makeLoadDrivers } from "./load-drivers.ts";
import { p99Lateness } from "./lateness.ts";
import { runtimeCpuMs, runtimeProcesses } from "./runtime-cpu.ts";

const MEASURED_MS = 20_000;
/** The time for linking drivers, who are switched on afterwards. */
export const SETUP_MS = 390_000;
const INTERVAL_MS = { masacre: 1_000, lucrative: 3_000 };
const UNLIMITED = "100000/100000";

export type LoadConditions = {
  drivers: number;
  mode: keyof typeof INTERVAL_MS & Mode;
  tickers: number;
  /** Runtimes, each a process with one thread for its objects and a share of the drivers. */
  processes: number;
};
export type LoadFigures = LoadConditions & {
  /** How long making them took. */
  setupMs: number;
  polls: number;
  /** Of the polls that so many drivers make in the time, which is the mean interval's. */
  share: number;
  p99LatenessMs: number;
  cores: number | null;
  driversPerCore: number | null;
};

/**
 * Drivers in one mode, with no page open. The platform runs in a process of its own, and says when the polls
 * arrived there.
 */
export async function benchLoad({ drivers, mode, tickers, processes }: LoadConditions): Promise<LoadFigures> {
  const sandbox = await startSandbox();
  const others = runtimeProcesses();
  const settings = {
    TICKERS: String(tickers),
    TEXTS_PER_NETWORK: UNLIMITED,
    TEXTS_TO_NEW_NUMBERS: UNLIMITED,
  };
  const apps = await Promise.all(
    Array.from({ length: processes }, () =>
      startLoopbackApp(sandbox.url, settings, { without: ["IDENTITY_LIMIT"], hasDoor: true }),
    ),
  );
  const intervalMs = INTERVAL_MS[mode];
  try {
    await postJson({ fetch, origin: sandbox.url }, "/sandbox/world", {
      reset: true,
      generate: false,
      quotas: { limit: 100_000, windowSeconds: 60 },
    });
    const begunAt = performance.now();
    const share = { sandboxUrl: sandbox.url, drivers: Math.ceil(drivers / processes), mode };
    const shares = await Promise.all(
      apps.map((app, process) => makeLoadDrivers(app, { ...share, process }, begunAt + SETUP_MS)),
    );
    const made = shares.reduce((sum, own) => sum + own, 0);
    const setupMs = performance.now() - begunAt;
    await pause(3 * intervalMs);
    const since = Date.now();
    const cpuBefore = runtimeCpuMs(others);
    await pause(MEASURED_MS);
    const cpuAfter = runtimeCpuMs(others);
    const measuredMs = Date.now() - since;
    const answer = await fetch(`${sandbox.url}/sandbox/platform/poll-times?since=${since}`);
    const times = Object.values((await answer.json()) as Record<string, number[]>);
    const gaps = times.flatMap((own) => own.slice(1).map((at, index) => at - (own[index] ?? at)));
    const cores = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / measuredMs;
    return {
      drivers: made,
      setupMs,
      mode,
      tickers,
      processes,
      polls: times.flat().length,
      share: times.flat().length / ((made * measuredMs) / intervalMs),
      p99LatenessMs: p99Lateness(gaps, intervalMs),
      cores,
      driversPerCore: cores === null ? null : made / cores,
    };
  } finally {
    await Promise.all(apps.map((app) => app.stop()));
    await sandbox.stop();
  }
}

function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lengthMs));
}
