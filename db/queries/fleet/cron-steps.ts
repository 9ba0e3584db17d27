import { asc, not, sql } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import type { ServiceAlert } from "./alerts.ts";
import { isAmong } from "../../expressions.ts";
import { cronSteps } from "../../schema/fleet.ts";

export type CronStepRow = typeof cronSteps.$inferSelect;

/** The steps that ran, those whose last run is longest ago first. */
export async function loadCronSteps(db: Db): Promise<CronStepRow[]> {
  return db.select().from(cronSteps).orderBy(asc(cronSteps.startedAt));
}

/** The steps that failed or did not run when they had to, as alerts name them. */
export function overdueOf(steps: readonly CronStepRow[], now: EpochMs): Omit<ServiceAlert, "until">[] {
  return steps
    .filter(({ overdueAt }) => overdueAt < now)
    .map(({ name, failure, overdueAt }) => ({
      name: `cron.${name}`,
      reason: failure ?? "missed",
      since: overdueAt,
    }));
}

/** Forgets all steps but these: one that no cron of this release has would count as missed for ever. */
export async function forgetOtherSteps(db: Db, names: readonly string[]): Promise<void> {
  await db.delete(cronSteps).where(not(isAmong(cronSteps.name, names)));
}

/** Stores a success, from which on the step is missed after a while. */
export async function noteStepSuccess(
  db: Db,
  step: { name: string; startedAt: EpochMs; succeededAt: EpochMs; overdueAt: EpochMs },
): Promise<void> {
  await db
    .insert(cronSteps)
    .values({ ...step, failure: null })
    .onConflictDoUpdate({ target: cronSteps.name, set: { ...step, failure: null } });
}

/** Stores a failure. The step is missed when it would have been, or `overdueAt` where it never ran before. */
export async function noteStepFailure(
  db: Db,
  step: { name: string; startedAt: EpochMs; failure: string; overdueAt: EpochMs },
): Promise<void> {
  const { startedAt, failure } = step;
  await db
    .insert(cronSteps)
    .values(step)
    .onConflictDoUpdate({ target: cronSteps.name, set: { startedAt, failure } });
}

/** Stores that a step is not expected before then: it rests while the deployment is closed. */
export async function noteStepsRest(
  db: Db,
  names: readonly string[],
  { at, overdueAt }: { at: EpochMs; overdueAt: EpochMs },
): Promise<void> {
  if (names.length === 0) return;
  await db
    .insert(cronSteps)
    .values(names.map((name) => ({ name, startedAt: at, overdueAt })))
    .onConflictDoUpdate({ target: cronSteps.name, set: { overdueAt, failure: null } });
}

/** Asks the database the simplest query. @returns its size, which D1 says with each answer; null if it didn't */
export async function loadDatabaseSize(db: Db): Promise<number | null> {
  const { meta } = await db.run(sql`select 1`);
  return meta.size_after ?? null;
}
