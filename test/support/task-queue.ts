import type { TaskBatch } from "../../worker/cron/consume-tasks.ts";
import type { TaskQueue } from "../../worker/cron/tasks.ts";

const BATCH_SIZE = 10;
/** As in wrangler.toml: the first delivery and six more. */
const MOST_TRIES = 7;

type Kept = { id: string; body: unknown; attempts: number; dueAt: number };

/** A queue that does what Cloudflare's does at worst: it delivers twice, and again whatever nobody acknowledged. */
export function openTaskQueue(now: () => number) {
  let kept: Kept[] = [];
  const dead: Kept[] = [];
  let sent = 0;
  const queue: TaskQueue = {
    sendBatch: async (messages) => {
      if (messages.length > 100) throw new Error("too many messages in a batch");
      for (const { body } of messages) {
        const text = JSON.stringify(body);
        if (text.length > 128_000) throw new Error("a message is too long");
        kept.push({ id: `m${(sent += 1)}`, body: JSON.parse(text), attempts: 0, dueAt: now() });
      }
    },
  };

  /** @returns the messages that were neither acknowledged nor put off, which count as put off */
  async function deliverBatch(batch: Kept[], consume: (batch: TaskBatch) => Promise<void>): Promise<void> {
    const acked = new Set<string>();
    const waits = new Map<string, number>();
    const messages = batch.map((one) => ({
      ...one,
      attempts: (one.attempts += 1),
      ack: () => void acked.add(one.id),
      retry: (options?: { delaySeconds?: number }) => void waits.set(one.id, options?.delaySeconds ?? 0),
    }));
    // An isolate that breaks off acknowledges nothing that it didn't yet.
    await consume({ queue: "jornada-tasks", messages }).catch(() => undefined);
    const again = batch.filter(({ id }) => !acked.has(id));
    dead.push(...again.filter(({ attempts }) => attempts >= MOST_TRIES));
    for (const one of again.filter(({ attempts }) => attempts < MOST_TRIES))
      kept.push({ ...one, dueAt: now() + (waits.get(one.id) ?? 0) * 1000 });
  }

  return {
    queue,
    dead,
    /** The messages that nobody has acknowledged yet. */
    waiting: () => kept.length,
    /** Delivers all that is due now, every so manieth message twice. @returns the batches */
    async deliver(consume: (batch: TaskBatch) => Promise<void>, { twice = 0 } = {}): Promise<number> {
      const due = kept.filter(({ dueAt }) => dueAt <= now());
      kept = kept.filter(({ dueAt }) => dueAt > now());
      const copies = due.flatMap((one, index) =>
        twice > 0 && index % twice === 0 ? [one, { ...one, id: `${one.id}-again` }] : [one],
      );
      let batches = 0;
      for (let start = 0; start < copies.length; start += BATCH_SIZE) {
        await deliverBatch(copies.slice(start, start + BATCH_SIZE), consume);
        batches += 1;
      }
      return batches;
    },
  };
}
