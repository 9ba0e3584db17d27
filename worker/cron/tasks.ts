import * as z from "zod";
import { partsOf } from "../../db/parts-of.ts";
import { driverId, epochMs, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { loadProbedAt, noteProbe } from "../../db/queries/fleet/ended-tasks.ts";
import type { Deps } from "../../durable/deps.ts";

/**
 * A message of the queue. A queue delivers at least once: whoever carries a task out does it once by its `id`, or by what the
 * database says of each driver. It may come from an earlier release.
 */
export const task = z.discriminatedUnion("kind", [
  /** Tells drivers' objects of an announcement. */
  z.object({
    kind: z.literal("announce"),
    version: z.literal(1),
    id: z.string(),
    announcementId: z.string(),
    drivers: z.array(driverId),
  }),
  /** Takes the next steps of renewals that were due, each as it was when the task was made. */
  z.object({
    kind: z.literal("renew"),
    version: z.literal(1),
    id: z.string(),
    dueAt: epochMs,
    drivers: z.array(z.object({ driverId, revision: z.int() })),
  }),
  /** Lets what sessions made that have ended end with them. */
  z.object({
    kind: z.literal("follow"),
    version: z.literal(1),
    id: z.string(),
    drivers: z.array(driverId),
  }),
]);
export type Task = z.output<typeof task>;
export type TaskOf<Kind extends Task["kind"]> = Extract<Task, { kind: Kind }>;

/** A task that only shows that the queue is emptied. The former release carries it out, too: it follows nobody. */
function probeAt(at: EpochMs): TaskOf<"follow"> {
  return { kind: "follow", version: 1, id: `probe:${at}`, drivers: [] };
}

export function isProbe(one: Task): boolean {
  return one.kind === "follow" && one.drivers.length === 0;
}

/** As much of a queue as needed to hand tasks to it. A task that is passed on may be of a later release. */
export type TaskQueue = {
  sendBatch(
    messages: readonly { body: unknown; contentType: "json"; delaySeconds?: number }[],
  ): Promise<unknown>;
};

/** Cloudflare's limit for one call. */
const MESSAGES_A_CALL = 100;

/** Hands tasks to the queue. If it throws, some of them may have been taken. */
export async function sendTasks(queue: TaskQueue, tasks: readonly Task[]): Promise<void> {
  for (const some of partsOf(tasks, MESSAGES_A_CALL))
    await queue.sendBatch(some.map((body) => ({ body, contentType: "json" })));
}

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
