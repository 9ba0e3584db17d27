import type { Mode } from "../../db/shapes/work/filters.ts";
import { startSandbox } from "../sandbox-server.ts";
import { startLoopbackApp, type BuiltApp } from "../support/runtime/built-app.ts";
import { postJson } from "../support/sandbox-client.ts";
import { prepareBenchDriver } from "./bench-driver.ts";
import { p99Lateness } from "./lateness.ts";
import { runtimeCpuMs, runtimeProcesses } from "./runtime-cpu.ts";

const MEASURED_MS = 20_000;
/** The time for making drivers: with the rest the part takes five minutes at most. */
const SETUP_MS = 210_000;
/** Drivers that are made at once. */
const AT_ONCE = 8;
const INTERVAL_MS = { masacre: 1_000, lucrative: 3_000 };
const UNLIMITED = "100000/100000";

export type LoadConditions = { drivers: number; mode: keyof typeof INTERVAL_MS & Mode; tickers: number };
export type LoadFigures = LoadConditions & {
  polls: number;
  /** Of the polls that so many drivers make in the time, which is the mean interval's. */
  share: number;
  p99LatenessMs: number;
  cores: number | null;
  driversPerCore: number | null;
};

/**
 * Drivers in one mode, each with the calls of a page and none open. The platform runs in a process of its own, and says when the polls
 * arrived there.
 */
export async function benchLoad({ drivers, mode, tickers }: LoadConditions): Promise<LoadFigures> {
  const sandbox = await startSandbox();
  const others = runtimeProcesses();
  const settings = {
    TICKERS: String(tickers),
    TEXTS_PER_NETWORK: UNLIMITED,
    TEXTS_TO_NEW_NUMBERS: UNLIMITED,
  };
  const app = await startLoopbackApp(sandbox.url, settings, { without: ["IDENTITY_LIMIT"] });
  const intervalMs = INTERVAL_MS[mode];
  try {
    await postJson({ fetch, origin: sandbox.url }, "/sandbox/world", {
      reset: true,
      generate: false,
      quotas: { limit: 100_000, windowSeconds: 60 },
    });
    const made = await startDrivers(app, { sandboxUrl: sandbox.url, drivers, mode });
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
      mode,
      tickers,
      polls: times.flat().length,
      share: times.flat().length / ((made * measuredMs) / intervalMs),
      p99LatenessMs: p99Lateness(gaps, intervalMs),
      cores,
      driversPerCore: cores === null ? null : made / cores,
    };
  } finally {
    await app.stop();
    await sandbox.stop();
  }
}

/**
 * Makes drivers, several at once and none on yet, until there are enough or the time is up, and switches them all on: who polls
 * already would hold up the others.
 * @returns how many there are. On a busy machine a call of somebody's setup may come too late
 */
async function startDrivers(
  app: BuiltApp,
  { sandboxUrl, drivers, mode }: { sandboxUrl: string } & Pick<LoadConditions, "drivers" | "mode">,
): Promise<number> {
  const until = performance.now() + SETUP_MS;
  const ready: (() => Promise<void>)[] = [];
  let index = 0;
  const makeSome = async () => {
    while (ready.length < drivers && performance.now() < until) {
      const own = index++;
      await prepareBenchDriver(app, { sandboxUrl, index: own, mode }).then(
        ({ switchOn }) => ready.push(switchOn),
        () => 0,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, makeSome));
  const waiting = ready.slice(0, drivers);
  const on: boolean[] = [];
  const startSome = async () => {
    for (let switchOn = waiting.pop(); switchOn; switchOn = waiting.pop())
      on.push(
        await switchOn().then(
          () => true,
          () => false,
        ),
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, startSome));
  return on.filter(Boolean).length;
}

function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lengthMs));
}
