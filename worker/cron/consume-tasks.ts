import { listDoneTasks, noteDeadTasks, noteProbe } from "../../db/queries/fleet/ended-tasks.ts";
import { MINUTE_MS, type DurationMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { log } from "../../durable/runtime/log.ts";
import { followSessionsOf } from "../accounts/ended-sessions.ts";
import { announceTo, loadAnnouncements } from "../texts/announcements.ts";
import { closingOf } from "../http/gate/maintenance.ts";
import { isolateOf } from "../http/isolate.ts";
import { createCheckoutContext, type CheckoutContext } from "../payments/checkout.ts";
import { renewalsMayGoOn, runLeasedRenewals } from "../payments/renewals/renewals.ts";
import { findKeyProblem } from "./key-problem.ts";
import { isProbe, task, type Task, type TaskOf, type TaskQueue } from "./tasks.ts";

/** Tasks that every try failed at arrive here. The same name as in wrangler.toml. */
export const DEAD_QUEUE = "jornada-dead-tasks";

/** The wait after the first try that failed; it doubles, up to the longest. */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;
/** While the deployment is closed. */
const CLOSED_WAIT_MS = 5 * MINUTE_MS;

/** As much of a batch as its consumer needs. */
export type TaskBatch = {
  queue: string;
  messages: readonly Pick<Message, "id" | "body" | "attempts" | "ack" | "retry">[];
};

/** Carries out the tasks of a batch, each of which fails alone and is tried again later. Never throws. */
export async function consumeTasks(batch: TaskBatch, env: Env): Promise<void> {
  try {
    const { deps } = isolateOf(env);
    const queue = env.TASKS ?? null;
    if (batch.queue !== DEAD_QUEUE && (await findKeyProblem(env)) !== null) return await putOff(batch, queue);
    await runTasks(createCheckoutContext({ deps, db: deps.db }), batch, queue);
  } catch (error) {
    // Without the database, or a setting that everything needs: the runtime's own retries would be over within seconds.
    log("error", "tasks.failed", { queue: batch.queue, ...describeError(error) });
    for (const message of batch.messages) retryLater(message);
  }
}

/** The same with its dependencies. @throws if the database doesn't answer */
export async function runTasks(
  checkout: CheckoutContext,
  batch: TaskBatch,
  queue: TaskQueue | null = null,
): Promise<void> {
  const { deps } = checkout;
  if (batch.queue === DEAD_QUEUE) return buryTasks(deps, batch);
  if (closingOf(deps.config, deps.now())) return putOff(batch, queue);
  const read = batch.messages.map((message) => ({ message, parsed: task.safeParse(message.body) }));
  const known = read.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : []));
  const done = await listDoneTasks(
    deps.db,
    known.map(({ id }) => id),
  );
  const announcements = await loadAnnouncements(
    deps.db,
    known.flatMap((one) => (one.kind === "announce" ? [one.announcementId] : [])),
  );
  const carryOut = async (one: Task) => {
    if (one.kind === "renew") return runRenewals(checkout, one);
    if (isProbe(one)) return noteProbe(deps.db, deps.now());
    if (one.kind === "follow") return followSessionsOf(deps, one);
    const announcement = announcements.get(one.announcementId);
    if (announcement) await announceTo(deps, announcement, one);
  };
  await Promise.all(
    read.map(async ({ message, parsed }) => {
      try {
        // A task of a later release waits for it, and is given up if it doesn't come.
        if (!parsed.success) throw new Error("a task of an unknown kind");
        if (!done.has(parsed.data.id)) await carryOut(parsed.data);
        message.ack();
      } catch (error) {
        deps.log("warn", "task.failed", {
          task: message.id,
          tries: message.attempts,
          ...describeError(error),
        });
        retryLater(message);
      }
    }),
  );
}

/** Queues tasks anew, since each retry would use up a try, and a closure may last for hours. */
async function putOff({ messages }: TaskBatch, queue: TaskQueue | null): Promise<void> {
  const delaySeconds = seconds(CLOSED_WAIT_MS);
  await queue?.sendBatch(messages.map(({ body }) => ({ body, contentType: "json", delaySeconds })));
  for (const message of messages) {
    if (queue) message.ack();
    else message.retry({ delaySeconds });
  }
}

/** A message that is acknowledged already stays so. */
function retryLater(message: TaskBatch["messages"][number]): void {
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (message.attempts - 1), LONGEST_WAIT_MS);
  message.retry({ delaySeconds: seconds(waitMs) });
}

/** Renewals that may not go on now are due again by themselves. */
async function runRenewals(checkout: CheckoutContext, leased: TaskOf<"renew">): Promise<void> {
  const { cards } = checkout;
  if (cards && (await renewalsMayGoOn(checkout.deps)))
    await runLeasedRenewals({ ...checkout, cards }, leased);
}

/** Counts tasks that every try failed at, for the alert. */
async function buryTasks({ db, now, log: note }: Deps, { messages }: TaskBatch): Promise<void> {
  const at = now();
  const dead = messages.map(({ id, body }) => {
    const parsed = task.safeParse(body);
    return parsed.success
      ? { id: parsed.data.id, kind: parsed.data.kind, at }
      : { id: `message:${id}`, kind: "unknown", at };
  });
  await noteDeadTasks(db, dead);
  for (const { id, kind } of dead) note("error", "task.dead", { task: id, kind });
  for (const message of messages) message.ack();
}

function seconds(length: DurationMs): number {
  return Math.ceil(length / 1000);
}
