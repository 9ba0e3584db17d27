import { readdirSync, readFileSync } from "node:fs";
import { DriverClient } from "../support/driver-client.ts";
import { startSandbox } from "../sandbox-server.ts";
import { startLoopbackApp, type BuiltApp } from "../support/runtime/built-app.ts";
import { lastText, openUserPool, registerAccount, signInBySrp } from "../support/identity.ts";
import {
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
  postJson,
} from "../support/sandbox-client.ts";
import { connectDashboard, type DashboardConnection } from "./dashboard-connection.ts";

const DRIVERS = Number(process.env["BENCH_DRIVERS"] ?? 200);
const MEASURED_MS = 20_000;
const INTERVAL_MS = 1000;
/** Turbo's jitter: gaps lie evenly between these. */
const SHORTEST_GAP_MS = 0.85 * INTERVAL_MS;
const LONGEST_GAP_MS = 1.15 * INTERVAL_MS;
const BIN_MS = 10;
const DAY_MS = 86_400_000;
const UNLIMITED = "100000/100000";
/** The user pool takes 100 calls of a kind a minute from one network. */
const REGISTRATION_MS = 650;
const CLOCK_TICKS_A_SECOND = 100;

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
  const app = await startLoopbackApp(sandbox.url, {
    POLL_FLOOR_MS: String(INTERVAL_MS),
    TEXTS_PER_NETWORK: UNLIMITED,
    TEXTS_TO_NEW_NUMBERS: UNLIMITED,
  });
  try {
    await postJson({ fetch, origin: sandbox.url }, "/sandbox/world", {
      reset: true,
      generate: false,
      quotas: { limit: 100_000, windowSeconds: 60 },
    });
    const dashboards: DashboardConnection[] = [];
    for (let index = 0; index < DRIVERS; index += 1) {
      const paced = pause(REGISTRATION_MS);
      dashboards.push(await startDriver(app, sandbox.url, index));
      await paced;
    }
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
      drivers: DRIVERS,
      polls: gaps.length,
      p99LatenessMs: p99Lateness(gaps),
      cores,
      driversPerCore: cores === null ? null : DRIVERS / cores,
    };
  } finally {
    await app.stop();
    await sandbox.stop();
  }
}

async function startDriver(app: BuiltApp, sandboxUrl: string, index: number): Promise<DashboardConnection> {
  const phoneNumber = `+1555${String(2_000_000 + index)}`;
  const account = { phoneNumber, password: "Jornada-1-bench", name: "Ana" };
  const pool = await openUserPool(app.origin);
  await registerAccount(pool, account, () => lastText(sandboxUrl, phoneNumber));
  const { idToken: token } = await signInBySrp(pool, account);
  const client = new DriverClient({ fetch, origin: app.origin, token });
  await client.sealed("PUT", "/flex/v1/user", { name: account.name, phoneNumber });
  await app.sql(
    `INSERT INTO service_credits (source, driver_id, duration_ms, at) SELECT 'bench:' || id, id, ?, ? FROM users WHERE phone_number = ?`,
    DAY_MS,
    Date.now(),
    phoneNumber,
  );
  await linkPlatformAccount({ fetch, origin: sandboxUrl, client }, `bench-${index}@example.com`);
  const { warehouses } = await client.warehouses();
  await client.saveFilters(
    permissiveFilters(warehouses.map(({ warehouseId }) => permissiveWarehouseFilter(warehouseId))),
  );
  await client.patchUser({ mode: "masacre" });
  await client.patchUser({ phoneNumber, userDisabled: 0 });
  return connectDashboard(app.origin, client);
}

/**
 * A gap is a jitter, even between the shortest and the longest, plus how late the poll was. So the share of polls that
 * were later than t is the density of gaps at (longest + t), times the jitter's width, and that of every width beyond.
 */
function p99Lateness(gaps: readonly number[]): number {
  const widthMs = LONGEST_GAP_MS - SHORTEST_GAP_MS;
  const density = (gapMs: number) =>
    gaps.filter((gap) => Math.abs(gap - gapMs) <= BIN_MS).length / gaps.length / (2 * BIN_MS);
  const longest = Math.max(0, ...gaps);
  for (let lateMs = 0; LONGEST_GAP_MS + lateMs <= longest; lateMs += BIN_MS) {
    let later = 0;
    for (let gap = LONGEST_GAP_MS + lateMs; gap <= longest + BIN_MS; gap += widthMs)
      later += widthMs * density(gap);
    if (later <= 0.01) return lateMs;
  }
  return Math.max(0, longest - LONGEST_GAP_MS);
}

/** CPU time of the product's runtime, whose processes are descendants of this one. */
function runtimeCpuMs(others: ReadonlySet<string>): number | null {
  const own = [...runtimeProcesses()].filter((pid) => !others.has(pid));
  const ticks = own.map((pid) => readProcessStat(pid)?.ticks ?? 0);
  return ticks.length === 0 ? null : (ticks.reduce((sum, each) => sum + each) * 1000) / CLOCK_TICKS_A_SECOND;
}

function runtimeProcesses(): ReadonlySet<string> {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return new Set(
      pids.filter((pid) => {
        const stat = readProcessStat(pid);
        return stat?.name === "workerd" && stat.parent === process.pid;
      }),
    );
  } catch {
    return new Set();
  }
}

function readProcessStat(pid: string): { name: string; parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { name, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}

function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lengthMs));
}
