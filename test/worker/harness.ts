import {
  createExecutionContext,
  env,
  runDurableObjectAlarm,
  runInDurableObject,
  SELF,
  waitOnExecutionContext,
} from "cloudflare:test";
import { expect } from "vitest";
import { driverStub } from "../../durable/driver/object-name.ts";
import type { Filters } from "../../db/shapes/work/filters.ts";
import type { Offer } from "../../db/shapes/work/offer.ts";
import { driverId as driverIdShape, type DriverId, type WarehouseId } from "../../db/shapes/units.ts";
import { app } from "../../worker/app.ts";
import { DriverClient } from "../support/driver-client.ts";
import {
  permissiveFilters,
  permissiveWarehouseFilter,
  linkPlatformAccount,
  platformWorld,
  postJson,
  signIn,
} from "../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { driverInsert } from "../support/driver-insert.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const fetch = (input: string, init?: RequestInit) => SELF.fetch(input, init);
/** The Worker in the test runtime, which also serves the sandbox's routes. */
export const apiTarget = { fetch, origin: DEMO_SETTINGS.PUBLIC_URL };

/** The same code with other settings and the same database. */
export function deployment(settings: Record<string, unknown>): typeof apiTarget {
  const own = { ...env, ...settings };
  return {
    origin: apiTarget.origin,
    fetch: async (input, init) => {
      const context = createExecutionContext();
      const answer = await app.fetch(new Request(input, init), own, context);
      await waitOnExecutionContext(context);
      return answer;
    },
  };
}

let driverCount = 0;

export type TestDriver = {
  driverId: DriverId;
  phoneNumber: string;
  email: string;
  token: string;
  client: DriverClient;
  warehouseIds: WarehouseId[];
};

/** Drivers who were switched on since the platform was reset. */
const awake = new Set<TestDriver>();

const { now } = Date;
let aheadMs = 0;
Date.now = () => now() + aheadMs;

/** Moves the clock of the Worker and its objects forward until the next test. The platform has its own clock. */
export function advanceClock(lengthMs: number): void {
  aheadMs += lengthMs;
}

/** Drivers who were switched on poll no more until they are called again: each would take its share of every later test. */
export async function stopPolling(): Promise<void> {
  const polling = [...awake];
  awake.clear();
  // An object that a test broke can't be asked, and polls no more.
  await Promise.allSettled(
    polling.map((driver) =>
      runInDurableObject(driverObject(driver), (_object, { storage }) => storage.deleteAlarm()),
    ),
  );
}

/**
 * Resets the platform to an empty world without generated offers. Drivers of earlier tests poll no more: they would
 * meet the next test's faults.
 */
export async function resetPlatform(change: Record<string, unknown> = {}): Promise<void> {
  aheadMs = 0;
  await stopPolling();
  await fetch(`${apiTarget.origin}/sandbox/faults`, { method: "DELETE" });
  await resetWorld(change);
}

/** Empties the platform's world, which forgets all sessions, while drivers go on. */
export async function resetWorld(change: Record<string, unknown> = {}): Promise<void> {
  await postJson(apiTarget, "/sandbox/world", {
    reset: true,
    generate: false,
    seed: 1,
    now: null,
    ...change,
  });
}

/** A signed-in driver with a record, not linked and without service. */
export async function createDriver(change: { serviceMs?: number } = {}): Promise<TestDriver> {
  driverCount += 1;
  const driverId = driverIdShape.parse(crypto.randomUUID());
  const phoneNumber = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
  const now = Date.now();
  const { query, values } = driverInsert({ id: driverId, phoneNumber, createdAt: now });
  await env.DB.batch([
    env.DB.prepare(query).bind(...values),
    env.DB.prepare(
      `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
    ).bind(`test:${driverId}`, driverId, change.serviceMs ?? 30 * DAY_MS, now),
  ]);
  const token = await signIn(apiTarget, { driverId, phoneNumber });
  const client = new DriverClient({ ...apiTarget, token });
  return {
    driverId,
    phoneNumber,
    email: `driver${driverCount}@example.com`,
    token,
    client,
    warehouseIds: [],
  };
}

/** A driver with a record and a linked account. */
export async function createLinkedDriver(change: { serviceMs?: number } = {}): Promise<TestDriver> {
  const driver = await createDriver(change);
  await linkPlatformAccount({ ...apiTarget, client: driver.client }, driver.email);
  const { warehouses } = await driver.client.warehouses();
  return { ...driver, warehouseIds: warehouses.map((warehouse) => warehouse.warehouseId) };
}

/** A linked driver with service, still off, with filters that accept everything at the first three warehouses. */
export async function createReadyDriver(change: Partial<Filters> = {}): Promise<TestDriver> {
  const driver = await createLinkedDriver();
  const rules = driver.warehouseIds.slice(0, 3).map((id) => permissiveWarehouseFilter(id));
  await driver.client.saveFilters(permissiveFilters(rules, change));
  return driver;
}

/** As `createReadyDriver`, switched on. */
export async function createActiveDriver(change: Partial<Filters> = {}): Promise<TestDriver> {
  const driver = await createReadyDriver(change);
  await setSystemSwitch(driver, true);
  return driver;
}

export async function setSystemSwitch(driver: TestDriver, on: boolean): Promise<void> {
  const { client, phoneNumber } = driver;
  awake.add(driver);
  const answer = await client.patchUser({ phoneNumber, userDisabled: on ? 0 : 1 });
  if (!answer.ok) throw new Error(`switching failed: ${await answer.text()}`);
}

export function driverObject(driver: TestDriver) {
  return driverStub(env, "enam", driver.driverId);
}

/** Runs the alarm now, whenever it is due; false if none was set. */
export function runAlarm(driver: TestDriver): Promise<boolean> {
  return runDurableObjectAlarm(driverObject(driver));
}

/** Publishes an offer that starts in this many minutes. */
export async function publishOffer(
  warehouseId: WarehouseId,
  {
    inMinutes = 120,
    minutes = 180,
    payCents = 9000,
    ...rest
  }: {
    inMinutes?: number;
    minutes?: number;
    payCents?: number;
    /** Offers a block again under the id that it had. */
    offerId?: Offer["offerId"];
    currency?: string;
    /** Instead of `inMinutes`. */
    startsAt?: number;
  } = {},
): Promise<Offer["offerId"]> {
  const start = new Date(rest.startsAt ?? Math.ceil(Date.now() / 60_000) * 60_000 + inMinutes * 60_000);
  const { offerId } = await postJson<{ offerId: Offer["offerId"] }>(apiTarget, "/sandbox/platform/offers", {
    warehouseId,
    minutes,
    payCents,
    ...rest,
    startsAt: start.toISOString(),
  });
  return offerId;
}

/** The driver's account at the platform. */
async function platformDriverId({ email: own }: TestDriver): Promise<string | undefined> {
  const { drivers } = await platformWorld(apiTarget);
  return drivers.find(({ email }) => email === own)?.driverId;
}

/** Takes a block on the platform by hand, beside the product. */
export async function takeByHand(
  driver: TestDriver,
  { inMinutes, minutes = 120, warehouse = 1 }: { inMinutes: number; minutes?: number; warehouse?: number },
): Promise<void> {
  await postJson(apiTarget, "/sandbox/platform/blocks", {
    driverId: await platformDriverId(driver),
    warehouseId: driver.warehouseIds[warehouse],
    startsAt: new Date(Date.now() + inMinutes * 60_000).toISOString(),
    minutes,
    payCents: 5000,
  });
}

/** How many captured blocks D1's sums by day tell of. */
export async function countWonDays({ driverId }: TestDriver): Promise<number> {
  const query = env.DB.prepare(`SELECT coalesce(sum(blocks), 0) AS blocks FROM won_days WHERE driver_id = ?`);
  return (await query.bind(driverId).first<number>("blocks")) ?? 0;
}

export async function fetchAccepts(): Promise<
  { offerId: string; key: string; at: number; status: number }[]
> {
  const answer = await fetch(`${apiTarget.origin}/sandbox/platform/accepts`);
  const { accepts: list } = await answer.json<{
    accepts: { offerId: string; key: string; at: number; status: number }[];
  }>();
  return list;
}

/** The number of the driver's polls that reached the platform. Drivers of earlier tests go on polling. */
export async function fetchPollCount(driver: TestDriver): Promise<number> {
  const id = (await platformDriverId(driver)) ?? "none";
  const response = await fetch(`${apiTarget.origin}/sandbox/platform/polls?driverId=${id}`);
  return (await response.json<{ count: number }>()).count;
}

export async function injectFault(body: Record<string, unknown>): Promise<void> {
  await postJson(apiTarget, "/sandbox/faults", body);
}

/** Makes a call, and a change while the platform holds its response to one operation of that call. */
export async function whileHeld(
  operation: string,
  call: () => Promise<unknown>,
  change: () => Promise<unknown>,
): Promise<void> {
  await injectFault({ operation, fault: "held", times: 1 });
  const called = call();
  const held = async () => (await fetch(`${apiTarget.origin}/sandbox/held`)).json<{ held: string[] }>();
  await expect.poll(held).toEqual({ held: [operation] });
  await change();
  await fetch(`${apiTarget.origin}/sandbox/held`, { method: "DELETE" });
  await called;
}

/**
 * Switches a driver on who was off, and makes a change while this call of their first poll or accept is held, whichever alarm
 * makes it: that of the runtime may come before the test's.
 */
export async function whileFirstHeld(
  operation: "listOffers" | "acceptOffer" | "refreshTokens",
  driver: TestDriver,
  change: () => Promise<unknown>,
): Promise<void> {
  const switchOn = async () => {
    await setSystemSwitch(driver, true);
    await runAlarm(driver);
  };
  await whileHeld(operation, switchOn, change);
}

export { platformWorld };
