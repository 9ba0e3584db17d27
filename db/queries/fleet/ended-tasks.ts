import { and, count, eq, gt, inArray, lte, min, sql, type SQL } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertRows } from "../../insert-where.ts";
import { endedTasks } from "../../schema/fleet.ts";

type EndedTask = typeof endedTasks.$inferSelect;

/** The tasks among these that were done before: a queue delivers at least once. */
export async function listDoneTasks(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: endedTasks.id })
    .from(endedTasks)
    .where(and(sql`${endedTasks.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`, isDone));
  return new Set(rows.map(({ id }) => id));
}

const isDone = eq(endedTasks.isDead, false);

/** That a task was not done yet, as a condition of the statements before `doneStatement`. */
export function isTaskOpen(id: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${endedTasks} WHERE ${endedTasks.id} = ${id} AND ${isDone})`;
}

/** The last statement of a batch that counts a task's results: they count once. */
export function doneStatement(db: Db, task: Omit<EndedTask, "isDead">) {
  return db
    .insert(endedTasks)
    .values({ ...task, isDead: false })
    .onConflictDoUpdate({ target: endedTasks.id, set: { isDead: false, at: task.at } });
}

/** The row of the last probe, whatever its task's id was. */
const PROBE = "probe";

/** When the queue last carried out a probe; null if it is not known to have. */
export async function loadProbedAt(db: Db): Promise<EpochMs | null> {
  const [row] = await db.select({ at: endedTasks.at }).from(endedTasks).where(eq(endedTasks.id, PROBE));
  return row?.at ?? null;
}

/** Notes that the queue carried out a probe. */
export async function noteProbe(db: Db, at: EpochMs): Promise<void> {
  await doneStatement(db, { id: PROBE, kind: PROBE, at });
}

/** Notes tasks that every try failed at, once each. */
export async function noteDeadTasks(db: Db, tasks: readonly Omit<EndedTask, "isDead">[]): Promise<void> {
  const rows = tasks.map((task) => ({ ...task, isDead: true }));
  await insertRows(db, endedTasks, rows, sql`true`).onConflictDoNothing();
}

/** The tasks that were given up since, and the first of them. */
export async function countDeadTasks(
  db: Db,
  since: EpochMs,
): Promise<{ tasks: number; firstAt: EpochMs | null }> {
  const [row] = await db
    .select({ tasks: count(), firstAt: min(endedTasks.at) })
    .from(endedTasks)
    .where(and(eq(endedTasks.isDead, true), gt(endedTasks.at, since)));
  return row ?? { tasks: 0, firstAt: null };
}

/** Forgets tasks that no queue delivers any more. */
export async function deleteOldTasks(db: Db, before: EpochMs): Promise<void> {
  await db
    .delete(endedTasks)
    .where(and(inArray(endedTasks.isDead, [false, true]), lte(endedTasks.at, before)));
}
