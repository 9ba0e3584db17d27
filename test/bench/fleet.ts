import { startSandbox } from "../sandbox-server.ts";
import { startLoopbackApp } from "../support/runtime/built-app.ts";
import { postJson } from "../support/sandbox-client.ts";
import { startBenchDriver } from "./bench-driver.ts";
import { connectDashboard, type DashboardConnection } from "./dashboard-connection.ts";
import { p99Lateness } from "./lateness.ts";
import { runtimeCpuMs, runtimeProcesses } from "./runtime-cpu.ts";

const DRIVERS = Number(process.env["BENCH_DRIVERS"] ?? 200);
const MEASURED_MS = 20_000;
const INTERVAL_MS = 1000;
const UNLIMITED = "100000/100000";
/** On a busy machine a call of somebody's registration may come too late: another driver takes their place. */
const MOST_TRIES = 1.2 * DRIVERS;

/** Drivers in turbo mode at 1 s, each with rules and an open dashboard. The platform runs in a process of its own. */
export type FleetFigures = {
  drivers: number;
  polls: number;
  p99LatenessMs: number;
  /** Cores that the product's runtime used; null where they can't be read. */
  cores: number | null;
  driversPerCore: number | null;
};

export async function benchFleet(): Promise<FleetFigures> {
  const sandbox = await startSandbox();
  const others = runtimeProcesses();
  const settings = {
    POLL_FLOOR_MS: String(INTERVAL_MS),
    TEXTS_PER_NETWORK: UNLIMITED,
    TEXTS_TO_NEW_NUMBERS: UNLIMITED,
  };
  const app = await startLoopbackApp(sandbox.url, settings, { without: ["IDENTITY_LIMIT"] });
  try {
    await postJson({ fetch, origin: sandbox.url }, "/sandbox/world", {
      reset: true,
      generate: false,
      quotas: { limit: 100_000, windowSeconds: 60 },
    });
    const dashboards: DashboardConnection[] = [];
    for (let index = 0; dashboards.length < DRIVERS && index < MOST_TRIES; index += 1) {
      const started = startBenchDriver(app, { sandboxUrl: sandbox.url, index });
      const client = await started.catch(() => null);
      if (client) dashboards.push(await connectDashboard(app.origin, client));
    }
    const drivers = dashboards.length;
    await pause(3 * INTERVAL_MS);
    const since = Date.now();
    const cpuBefore = runtimeCpuMs(others);
    await pause(MEASURED_MS);
    const cpuAfter = runtimeCpuMs(others);
    const until = Date.now();
    const gaps = dashboards.flatMap(({ polledAt }) => {
      const times = polledAt.filter((at) => at >= since && at <= until);
      return times.slice(1).map((at, index) => at - (times[index] ?? at));
    });
    for (const dashboard of dashboards) dashboard.close();
    const cores = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / (until - since);
    return {
      drivers,
      polls: gaps.length,
      p99LatenessMs: p99Lateness(gaps, INTERVAL_MS),
      cores,
      driversPerCore: cores === null ? null : drivers / cores,
    };
  } finally {
    await app.stop();
    await sandbox.stop();
  }
}

function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lengthMs));
}
