import { readdirSync, readFileSync } from "node:fs";

const CLOCK_TICKS_A_SECOND = 100;

/** CPU time of the product's runtime, whose processes are descendants of this one. */
export function runtimeCpuMs(others: ReadonlySet<string>): number | null {
  const own = [...runtimeProcesses()].filter((pid) => !others.has(pid));
  const ticks = own.map((pid) => readProcessStat(pid)?.ticks ?? 0);
  return ticks.length === 0 ? null : (ticks.reduce((sum, each) => sum + each) * 1000) / CLOCK_TICKS_A_SECOND;
}

/** The runtimes that this process started. */
export function runtimeProcesses(): ReadonlySet<string> {
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
