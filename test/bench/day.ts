import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import * as z from "zod";

/**
 * Figures of the mixed day: eight hours a day, two in turbo mode and six in lucrative mode, with 240 offers, called by
 * a ticker.
 */
export const dayFigures = z.object({
  polls: z.int().check(z.positive()),
  alarms: z.int(),
  calls: z.int(),
  alarmsSet: z.int(),
  /** Rows written to the object and to D1, those of indexes too. */
  rows: z.int(),
  d1Rows: z.int(),
  d1Statements: z.int(),
  /** How long its runs took. */
  handlerMs: z.number(),
  /** Rows written per poll that brought nothing, without the alarm, in the second half of a day without offers. */
  rowsPerIdlePoll: z.number(),
  /** Rows written in its first half: by the driver's own acts, and while the quota was being learned. */
  rowsToBegin: z.number(),
  bytesPerDriverMonth: z.number(),
  /** Without its share of the ticker. */
  dollarsPerDriverMonth: z.number(),
  /** The same day without a ticker. */
  byAlarms: z.object({
    polls: z.int(),
    alarms: z.int(),
    alarmsSet: z.int(),
    dollarsPerDriverMonth: z.number(),
  }),
});
export type DayFigures = z.infer<typeof dayFigures>;

/** Lives through the day in the simulated world: in a process of its own, whose clock is the simulation's. */
export async function benchDay(): Promise<DayFigures> {
  const main = fileURLToPath(new URL("../world/counts/mixed-day.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [main]);
  return dayFigures.parse(JSON.parse(stdout));
}
