import { listDoneTasks, noteDeadTasks } from "../../db/queries/fleet/ended-tasks.ts";
import { MINUTE_MS, type DurationMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { followSessionsOf } from "../accounts/ended-sessions.ts";
import { announceTo, loadAnnouncements } from "../texts/announcements.ts";
import { closingOf } from "../http/gate/maintenance.ts";
import { isolateOf } from "../http/isolate.ts";
import { createCheckoutContext, type CheckoutContext } from "../payments/checkout.ts";
import { renewalsMayGoOn, runLeasedRenewals } from "../payments/renewals/renewals.ts";
import { task, type Task, type TaskOf } from "./tasks.ts";

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

/** Carries out the tasks of a batch, each of which fails alone and is tried again later. */
export async function consumeTasks(batch: TaskBatch, env: Env): Promise<void> {
  const { deps } = isolateOf(env);
  await runTasks(createCheckoutContext({ deps, db: deps.db }), batch);
}

/** The same with its dependencies. */
export async function runTasks(checkout: CheckoutContext, batch: TaskBatch): Promise<void> {
  const { deps } = checkout;
  if (batch.queue === DEAD_QUEUE) return buryTasks(deps, batch);
  if (closingOf(deps.config, deps.now())) {
    for (const message of batch.messages) message.retry({ delaySeconds: seconds(CLOSED_WAIT_MS) });
    return;
  }
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
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (message.attempts - 1), LONGEST_WAIT_MS);
        message.retry({ delaySeconds: seconds(waitMs) });
      }
    }),
  );
}

/** Renewals that may not go on now are due again by themselves. */
async function runRenewals(checkout: CheckoutContext, leased: TaskOf<"renew">): Promise<void> {
  const { cards } = checkout;
  if (cards && (await renewalsMayGoOn(checkout.deps)))
    await runLeasedRenewals({ ...checkout, cards }, leased);
}

/** Counts tasks that every try failed at, for the alert. */
async function buryTasks({ db, now, log }: Deps, { messages }: TaskBatch): Promise<void> {
  const at = now();
  const dead = messages.map(({ id, body }) => {
    const parsed = task.safeParse(body);
    return parsed.success
      ? { id: parsed.data.id, kind: parsed.data.kind, at }
      : { id: `message:${id}`, kind: "unknown", at };
  });
  for (const { id, kind } of dead) log("error", "task.dead", { task: id, kind });
  await noteDeadTasks(db, dead);
  for (const message of messages) message.ack();
}

function seconds(length: DurationMs): number {
  return Math.ceil(length / 1000);
}
