import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect } from "vitest";
import { createPushSubscriber, type PushSubscriber } from "../support/push-subscriber.ts";
import { advanceClock, apiTarget, driverObject, publishOffer, runAlarm, type TestDriver } from "./harness.ts";

export const PUSH = "/flex/v1/user/push";

export type Arrival = {
  endpoint: string;
  ttl: number;
  urgency: string;
  topic: string | null;
  key: string;
  subject: string;
  body: string;
  status: number;
};

export let listeners = 0;

/** Subscribes a browser of the driver. */
export async function listen(driver: TestDriver): Promise<PushSubscriber> {
  listeners += 1;
  const listener = await createPushSubscriber(`https://push.sandbox.test/send/${listeners}`);
  const answer = await driver.client.call("PUT", PUSH, { body: listener.subscription });
  expect(answer.status).toBe(204);
  return listener;
}

export async function arrivals(listener: PushSubscriber | undefined): Promise<Arrival[]> {
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/push`);
  const { messages } = await answer.json<{ messages: Arrival[] }>();
  return messages.filter(({ endpoint }) => endpoint === listener?.subscription.endpoint);
}

/** The messages that a browser got, as its service worker reads them. */
export async function openedBy(listener: PushSubscriber): Promise<{ [field: string]: unknown }[]> {
  return Promise.all(
    (await arrivals(listener)).map(async ({ body }) => ({ ...Object(await listener.open(body)) })),
  );
}

/** The texts to a driver that have these words, the latest first. */
export async function textsWith(words: string, { phoneNumber }: TestDriver): Promise<string[]> {
  const answer = await apiTarget.fetch(
    `${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`,
  );
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body).filter((body) => body.includes(words));
}

/** Waits until there are at least `count`, since maintenance runs in the background. */
export async function eventually<Item>(count: number, look: () => Promise<Item[]>): Promise<Item[]> {
  let found: Item[] = [];
  const lacks = async () => count - (found = await look()).length;
  await expect.poll(lacks, { interval: 10 }).toBeLessThanOrEqual(0);
  return found;
}

/** More than the sandbox's quota asks for between two polls. */
export const QUOTA_PACE_MS = 5_000;

/**
 * Captures a block that starts after the last one ends, and too late for a reminder of it to be among what a test counts. A new
 * object polls as soon as the quota allows.
 */
export async function capture(driver: TestDriver): Promise<void> {
  const { held } = await driverObject(driver).snapshot();
  await untilSent(driver);
  await evictDurableObject(driverObject(driver));
  advanceClock(QUOTA_PACE_MS);
  await publishOffer(driver.warehouseIds[0]!, { inMinutes: 240 + held.length * 120, minutes: 60 });
  await runAlarm(driver);
  expect((await driverObject(driver).snapshot()).held).toHaveLength(held.length + 1);
}

/** The number of outbox rows, except those that wait for a retry. */
export function waiting(driver: TestDriver): Promise<number> {
  return runInDurableObject(
    driverObject(driver),
    (_object, { storage }) =>
      storage.sql.exec<{ due: number }>(`SELECT count(*) AS due FROM outbox WHERE tries = 0`).one().due,
  );
}

/** Waits until nothing is left to be sent. */
export async function untilSent(driver: TestDriver): Promise<void> {
  await eventually(1, async () => ((await waiting(driver)) === 0 ? [true] : []));
}

/** Lets the object wake, by its alarm and by its watcher, and sends what is to be sent. */
export async function wakeObject(driver: TestDriver): Promise<void> {
  await runAlarm(driver);
  await runInDurableObject(driverObject(driver), (object) => object.wake());
  await untilSent(driver);
}
