import { loadProbedAt, noteProbe } from "../../db/queries/fleet/ended-tasks.ts";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { probeAt, sendTasks, type TaskQueue } from "./tasks.ts";

/** How often the queue is asked to carry out a task that does nothing. Each costs three of its operations. */
const PROBE_EVERY_MS = 3 * MINUTE_MS;
/** A large announcement may hold up other tasks for some minutes. */
const STUCK_AFTER_MS = 10 * MINUTE_MS;

/** Nobody carries out the queue's tasks, which then count as neither done nor dead. */
class StuckQueueError extends Error {
  override name = "StuckQueueError";
}

/**
 * Every minute: makes sure that somebody empties the queue, by a task that only notes when it was carried out.
 * @throws {StuckQueueError} if none was for ten minutes
 */
export async function watchQueue(
  { db, now }: Pick<Deps, "db" | "now">,
  queue: TaskQueue | null,
): Promise<void> {
  if (queue === null) return;
  const at = now();
  const probedAt = await loadProbedAt(db);
  // From the first look on.
  if (probedAt === null) await noteProbe(db, at);
  const sinceMs = at - (probedAt ?? at);
  if (probedAt === null || sinceMs >= PROBE_EVERY_MS) await sendTasks(queue, [probeAt(at)]);
  if (sinceMs >= STUCK_AFTER_MS) throw new StuckQueueError();
}
