import { emptyCityCounts } from "../../db/shapes/city-counts.ts";
import { emptyTally, type FleetReport } from "../../db/shapes/fleet.ts";
import type { EpochMs } from "../../db/shapes/units.ts";

/** How many reports go to D1 in one transaction. */
const BATCH_SIZE = 500;

/** How long reports wait for others at most. */
const FLUSH_MS = 20_000;

/**
 * When one of so many watchers sends its reports next: each at a moment of its own, since a deployment reports to all
 * at once.
 */
export function nextFlushAt(
  now: EpochMs,
  { number, watchers }: { number: number; watchers: number },
): EpochMs {
  const ownMs = Math.floor((FLUSH_MS * number) / watchers);
  return ownMs + FLUSH_MS * (1 + Math.floor((now - ownMs) / FLUSH_MS));
}

/** Reports of drivers' objects that D1 does not have yet, oldest first, in the storage of the object that watches over them. */
export class ReportQueue {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS reports (id INTEGER PRIMARY KEY AUTOINCREMENT, driver_id TEXT, value TEXT)`,
    );
  }

  get isEmpty(): boolean {
    return this.#sql.exec(`SELECT 1 FROM reports LIMIT 1`).toArray().length === 0;
  }

  add(report: FleetReport): void {
    const value = JSON.stringify(report);
    this.#sql.exec(`INSERT INTO reports (driver_id, value) VALUES (?, ?)`, report.driverId, value);
  }

  forget(driverIds: readonly string[]): void {
    for (const id of driverIds) this.#sql.exec(`DELETE FROM reports WHERE driver_id = ?`, id);
  }

  /**
   * Sends all that waits now, and deletes each batch that was sent; the rest waits on. A report that can't be read is left
   * out, and holds up none behind it.
   * @returns how many were left out
   * @throws what `send` throws
   */
  async flush(send: (reports: readonly FleetReport[]) => Promise<void>): Promise<number> {
    let leftOut = 0;
    for (let left = this.#next(); left.length > 0; left = this.#next()) {
      const reports = left.flatMap(({ value }) => readReport(value) ?? []);
      if (reports.length > 0) await send(reports);
      for (const { id } of left) this.#sql.exec(`DELETE FROM reports WHERE id = ?`, id);
      leftOut += left.length - reports.length;
    }
    return leftOut;
  }

  #next(): { id: number; value: string }[] {
    return this.#sql
      .exec<{ id: number; value: string }>(`SELECT id, value FROM reports ORDER BY id LIMIT ?`, BATCH_SIZE)
      .toArray();
  }
}

/** A report that another release made, too: what it didn't count is none. Null if it is none that this one knows. */
function readReport(value: string): FleetReport | null {
  try {
    const report = JSON.parse(value) as FleetReport;
    const tallies = report.tallies.map(({ hour, tally, city }) => ({
      hour,
      tally: { ...emptyTally(), ...tally },
      city: { ...emptyCityCounts(), ...city },
    }));
    return { ...report, tallies };
  } catch {
    return null;
  }
}
