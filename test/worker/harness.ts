import {
  createExecutionContext,
  env,
  runDurableObjectAlarm,
  SELF,
  waitOnExecutionContext,
} from "cloudflare:test";
import { expect, vi } from "vitest";
import { driverStub } from "../../durable/driver/stub.ts";
import type { Filters } from "../../durable/engine/rules.ts";
import type { Offer } from "../../durable/engine/types.ts";
import { driverId as driverIdShape, type DriverId, type WarehouseId } from "../../durable/engine/units.ts";
import { app } from "../../worker/app.ts";
import { DriverClient } from "../support/driver-client.ts";
import { easyFilters, easyRule, link, platformWorld, post, signIn } from "../support/demo.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const fetch = (input: string, init?: RequestInit) => SELF.fetch(input, init);
/** Where a call inside the runtime goes: the Worker, and by its door the sandbox. */
export const outside = { fetch, origin: DEMO_SETTINGS.PUBLIC_URL };

/** The same code under other settings, over the same database: a deployment of its own. */
export function deployment(settings: Record<string, unknown>): typeof outside {
  const own = { ...env, ...settings };
  return {
    origin: outside.origin,
    fetch: async (input, init) => {
      const context = createExecutionContext();
      const answer = await app.fetch(new Request(input, init), own, context);
      await waitOnExecutionContext(context);
      return answer;
    },
  };
}

let people = 0;

export type TestDriver = {
  driverId: DriverId;
  phoneNumber: string;
  email: string;
  token: string;
  client: DriverClient;
  warehouseIds: WarehouseId[];
};

const { now } = Date;
let aheadMs = 0;
vi.spyOn(Date, "now").mockImplementation(() => now() + aheadMs);

/** Moves the clock of the Worker and its objects ahead, until the next story; the platform keeps its own. */
export function pass(lengthMs: number): void {
  aheadMs += lengthMs;
}

/** A fresh, quiet platform: nothing is offered but what a story drops. */
export async function quietPlatform(change: Record<string, unknown> = {}): Promise<void> {
  aheadMs = 0;
  await fetch(`${outside.origin}/sandbox/faults`, { method: "DELETE" });
  await post(outside, "/sandbox/world", { reset: true, generate: false, seed: 1, now: null, ...change });
}

/** Somebody signed in who has a record; not linked, nothing bought. */
export async function register(change: { serviceMs?: number } = {}): Promise<TestDriver> {
  people += 1;
  const driverId = driverIdShape.parse(crypto.randomUUID());
  const phoneNumber = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
  const now = Date.now();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, revision, created_at)
       VALUES (?, ?, 'Ana', 'en', 'lucrative', 0, 0, 'jornada', 'America/New_York', 0, 1, ?)`,
    ).bind(driverId, phoneNumber, now),
    env.DB.prepare(
      `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
    ).bind(`test:${driverId}`, driverId, change.serviceMs ?? 30 * DAY_MS, now),
  ]);
  const token = await signIn(outside, { driverId, phoneNumber });
  const client = new DriverClient({ ...outside, token });
  return { driverId, phoneNumber, email: `driver${people}@example.com`, token, client, warehouseIds: [] };
}

/** Registered and linked. */
export async function linked(change: { serviceMs?: number } = {}): Promise<TestDriver> {
  const driver = await register(change);
  await link({ ...outside, client: driver.client }, driver.email);
  const { warehouses } = await driver.client.warehouses();
  return { ...driver, warehouseIds: warehouses.map((warehouse) => warehouse.warehouseId) };
}

/** Linked, with rules that take everything at the first three warehouses, and switched on. */
export async function working(change: Partial<Filters> = {}): Promise<TestDriver> {
  const driver = await linked();
  const rules = driver.warehouseIds.slice(0, 3).map((id) => easyRule(id));
  await driver.client.saveFilters(easyFilters(rules, change));
  await switchTo(driver, true);
  return driver;
}

export async function switchTo({ client, phoneNumber }: TestDriver, on: boolean): Promise<void> {
  const answer = await client.patchUser({ phoneNumber, userDisabled: on ? 0 : 1 });
  if (!answer.ok) throw new Error(`the switch refused: ${await answer.text()}`);
}

export function objectOf(driver: TestDriver) {
  return driverStub(env, "enam", driver.driverId);
}

/** Rings the alarm now, whenever it was due; false where none was set. */
export function wake(driver: TestDriver): Promise<boolean> {
  return runDurableObjectAlarm(objectOf(driver));
}

/** Drops an offer at the desk, starting in some minutes. */
export async function drop(
  warehouseId: WarehouseId,
  {
    inMinutes = 120,
    minutes = 180,
    payCents = 9000,
  }: { inMinutes?: number; minutes?: number; payCents?: number } = {},
): Promise<Offer["offerId"]> {
  const startsAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + inMinutes * 60_000).toISOString();
  const { offerId } = await post<{ offerId: Offer["offerId"] }>(outside, "/sandbox/platform/offers", {
    warehouseId,
    startsAt,
    minutes,
    payCents,
  });
  return offerId;
}

export async function accepts(): Promise<{ offerId: string; key: string; at: number; status: number }[]> {
  const answer = await fetch(`${outside.origin}/sandbox/platform/accepts`);
  const { accepts: list } = await answer.json<{
    accepts: { offerId: string; key: string; at: number; status: number }[];
  }>();
  return list;
}

/** How many polls have reached the platform. */
export async function polls(): Promise<number> {
  const answer = await fetch(`${outside.origin}/sandbox/platform/polls`);
  return (await answer.json<{ count: number }>()).count;
}

export async function fault(body: Record<string, unknown>): Promise<void> {
  await post(outside, "/sandbox/faults", body);
}

/** Makes a call, and a change while the platform holds back what it answers to one operation of that call. */
export async function amid(
  operation: string,
  call: () => Promise<unknown>,
  change: () => Promise<unknown>,
): Promise<void> {
  await fault({ operation, fault: "held", times: 1 });
  const called = call();
  const held = async () => (await fetch(`${outside.origin}/sandbox/held`)).json<{ held: string[] }>();
  await expect.poll(held).toEqual({ held: [operation] });
  await change();
  await fetch(`${outside.origin}/sandbox/held`, { method: "DELETE" });
  await called;
}

export { platformWorld };
