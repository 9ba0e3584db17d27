import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDb } from "../../../db/client.ts";
import { countDeadTasks } from "../../../db/queries/fleet/ended-tasks.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Env } from "../../../durable/runtime/env.ts";
import { consumeTasks, DEAD_QUEUE } from "../../../worker/cron/consume-tasks.ts";
import { minuteSteps } from "../../../worker/cron/watchdog.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { openTaskQueue } from "../../support/task-queue.ts";

beforeEach(() => {
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
});
afterEach(() => void vi.restoreAllMocks());

/** A deployment with two queues, where each message is answered once: a later answer is ignored. */
function open(settings: Record<string, unknown> = {}) {
  const trip = { isDown: false };
  const sent: unknown[] = [];
  const binding = bindD1(migratedDatabase(), async (work) => {
    if (trip.isDown) throw new Error("D1 is down");
    return work();
  });
  const queue = { sendBatch: async (messages: readonly unknown[]) => void sent.push(...messages) };
  const env = { ...DEMO_SETTINGS, DB: binding, DRIVER: {}, ASSETS: {}, TASKS: queue, ...settings };
  return {
    trip,
    sent,
    db: openDb(binding as unknown as Parameters<typeof openDb>[0]),
    /** @returns the answers to the messages; null for none */
    async deliver(bodies: readonly unknown[], { queue: name = "jornada-tasks", attempts = 1 } = {}) {
      const answers: unknown[] = bodies.map(() => null);
      const messages = bodies.map((body, index) => {
        const reply = (given: unknown) => void (answers[index] ??= given);
        const retry = (given?: unknown) => reply(given ?? "at once");
        return { id: `m${index}`, body, attempts, ack: () => reply("ack"), retry };
      });
      await consumeTasks({ queue: name, messages }, env as unknown as Env).catch(() => {
        // The runtime retries what nobody answered, without a wait.
        for (const { retry } of messages) retry();
      });
      return answers;
    },
  };
}

const tasksOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: "follow", version: 1, id: `t${index}`, drivers: [] }));

describe("tasks", () => {
  it("that died are counted, up to a hundred of them in a batch", async () => {
    const { db, deliver } = open();
    expect(await deliver(tasksOf(100), { queue: DEAD_QUEUE })).toEqual(Array(100).fill("ack"));
    expect((await countDeadTasks(db, Date.now() - DAY_MS)).tasks).toBe(100);
  });

  it.each([["jornada-tasks"], [DEAD_QUEUE]])(
    "of %s wait longer each time while the database is down, so that a short outage uses up no tries",
    async (queue) => {
      const { trip, deliver } = open();
      trip.isDown = true;
      expect(await deliver(tasksOf(2), { queue })).toEqual([{ delaySeconds: 30 }, { delaySeconds: 30 }]);
      expect(await deliver(tasksOf(1), { queue, attempts: 4 })).toEqual([{ delaySeconds: 240 }]);
      trip.isDown = false;
      expect(await deliver(tasksOf(1), { queue, attempts: 5 })).toEqual(["ack"]);
    },
  );

  it("wait in the same way while a setting that everything needs is malformed", async () => {
    const { deliver } = open({ MASTER_KEYS: "rubbish" });
    expect(await deliver(tasksOf(1))).toEqual([{ delaySeconds: 30 }]);
  });

  it("are queued anew while a master key is missing, and use up no tries", async () => {
    const { db, sent, deliver } = open();
    await db.run(
      `INSERT INTO master_key_uses (key_id, what, uses, counted_at) VALUES ('gone', 'passwords', 1, 0)`,
    );
    const bodies = tasksOf(2);
    expect(await deliver(bodies)).toEqual(["ack", "ack"]);
    expect(sent).toEqual(bodies.map((body) => ({ body, contentType: "json", delaySeconds: 300 })));
  });

  it("are queued anew while the deployment is closed, so that hours of maintenance use up no tries", async () => {
    const closed = open({ MAINTENANCE: "on" });
    const bodies = [...tasksOf(1), { kind: "tomorrow" }];
    expect(await closed.deliver(bodies, { attempts: 7 })).toEqual(["ack", "ack"]);
    expect(closed.sent).toEqual(bodies.map((body) => ({ body, contentType: "json", delaySeconds: 300 })));
  });
});

describe("a queue that nobody empties", () => {
  const NOW = Date.parse("2026-11-21T12:00:00Z");
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
  afterEach(() => void vi.useRealTimers());

  /** Lets minutes pass, each with its cron, and with deliveries if somebody empties the queue. */
  function openWatched({ hasQueue = true } = {}) {
    const tasks = openTaskQueue(() => Date.now());
    const env = {
      ...DEMO_SETTINGS,
      DB: bindD1(migratedDatabase()),
      DRIVER: {},
      ASSETS: {},
      ...(hasQueue ? { TASKS: tasks.queue } : {}),
    } as unknown as Env;
    return async (minutes: number, isEmptied: boolean) => {
      const failed: string[] = [];
      for (let minute = 0; minute < minutes; minute += 1) {
        vi.setSystemTime(Date.now() + MINUTE_MS);
        const step = minuteSteps(env).find(({ name }) => name === "queue");
        await step?.run().catch((error: Error) => failed.push(error.name));
        if (isEmptied) await tasks.deliver((batch) => consumeTasks(batch, env));
      }
      return failed.length;
    };
  }

  it("fails a step of the minute after ten minutes, until it is emptied", async () => {
    const pass = openWatched();
    expect(await pass(60, true)).toBe(0);
    expect(await pass(7, false)).toBe(0);
    expect(await pass(10, false)).toBeGreaterThanOrEqual(5);
    // Of the first minute it isn't known yet.
    expect(await pass(1, true)).toBe(1);
    expect(await pass(60, true)).toBe(0);
  });

  it("is also noticed if it was never emptied", async () => {
    expect(await openWatched()(30, false)).toBeGreaterThanOrEqual(15);
  });

  it("is none where there is no queue", async () => {
    expect(await openWatched({ hasQueue: false })(30, false)).toBe(0);
  });
});
