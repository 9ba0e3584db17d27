import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";

const MEMORY = "/dev/shm";
const NAME = /^jornada-tests-(\d+)$/;
/** A run's databases and browsers take a tenth of it. */
const LEAST_BYTES = 512 * 1024 ** 2;

/**
 * Puts the temporary files of this process and of all that it starts into memory, where the system has a folder for that:
 * local databases wait for the disk at each write, which takes as long again as the tests do. A folder that `TMPDIR` names
 * stays.
 */
export function useMemoryFolder(): void {
  if (process.env["TMPDIR"] !== undefined || !isRoomy()) return;
  const folder = `${MEMORY}/jornada-tests-${process.pid}`;
  removeLeftovers();
  mkdirSync(folder, { recursive: true });
  process.env["TMPDIR"] = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** Whether there is such a folder, with space for a run. */
export function isRoomy(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= LEAST_BYTES;
}

/** Removes what runs that were killed have left. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(`${MEMORY}/${name}`, { recursive: true, force: true });
  }
}
