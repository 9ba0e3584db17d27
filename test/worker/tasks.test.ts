import { createExecutionContext, createMessageBatch, env, getQueueResult } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import worker from "../../worker/index.ts";
import { consumeTasks, DEAD_QUEUE } from "../../worker/cron/consume-tasks.ts";
import { createActiveDriver, resetPlatform } from "./harness.ts";
import { runMinute } from "./payments-harness.ts";

beforeEach(() => resetPlatform());

/** Hands a batch to the consumer, as the runtime does. */
async function deliver(queue: string, bodies: readonly unknown[]) {
  const batch = createMessageBatch(
    queue,
    bodies.map((body, index) => ({ id: `m${index}`, timestamp: 0, attempts: 1, body })),
  );
  await consumeTasks(batch, env);
  return getQueueResult(batch, createExecutionContext());
}

it("is the Worker's handler of queues", () => {
  expect(worker.queue).toBe(consumeTasks);
});

it("acknowledges what it told a driver's object, and puts off what it doesn't know", async () => {
  const { driverId } = await createActiveDriver();
  await env.DB.prepare(
    `INSERT INTO announcements (id, en, es, pt, audience, starts_at, ends_at, created_at, is_told) VALUES ('a', 'Hello', 'Hola', 'Olá', 'all', 0, ?, 0, 1)`,
  )
    .bind(Date.now() * 2)
    .run();
  const announce = { kind: "announce", version: 1, id: "t", announcementId: "a", drivers: [driverId] };
  const result = await deliver("jornada-tasks", [announce, { kind: "tomorrow" }]);
  expect([result.explicitAcks, result.retryMessages]).toMatchObject([["m0"], [{ msgId: "m1" }]]);
  expect((await deliver("jornada-tasks", [announce])).explicitAcks).toEqual(["m0"]);
  expect(await env.DB.prepare(`SELECT told FROM announcements`).first("told")).toBe(1);
});

it("raises an alert for what every try failed at", async () => {
  const dead = Array.from({ length: 99 }, (_, index) => {
    return { kind: "renew", version: 1, id: `t${index}`, dueAt: 1, drivers: [] };
  });
  await deliver(DEAD_QUEUE, [...dead, "rubbish"]);
  await runMinute();
  expect(
    await env.DB.prepare(`SELECT reason FROM service_alerts WHERE name = 'queues.dead'`).first("reason"),
  ).toBe("100+");
});

it("raises an alert for a renewal whose looks failed for hours", async () => {
  const { driverId } = await createActiveDriver();
  await env.DB.prepare(
    `INSERT INTO renewals (driver_id, status, plan, cap_cents, currency, consent_id, method_id, method, due_at, tries, revision)
     VALUES (?, 'on', '{}', 'much', '', 'c', 'm', 'card', ?, 7, 1)`,
  )
    .bind(driverId, Date.now() + 3_600_000)
    .run();
  await runMinute();
  expect(
    await env.DB.prepare(`SELECT reason FROM service_alerts WHERE name = 'renewals.failing'`).first("reason"),
  ).toBe("1+");
});
