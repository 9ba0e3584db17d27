import * as z from "zod";
import { HOUR_MS } from "../../db/shapes/units.ts";
import type { DriverClient } from "../support/driver-client.ts";
import { startSandbox } from "../sandbox-server.ts";
import { startLoopbackApp } from "../support/runtime/built-app.ts";
import { permissiveFilters, permissiveWarehouseFilter, postJson } from "../support/sandbox-client.ts";
import { startBenchDriver } from "./bench-driver.ts";
import { p99Lateness } from "./lateness.ts";

const DRIVERS = 8;
const OFFERS = 10_000;
/** Offers that are listed at once, each for two polls. */
const OFFERS_AT_ONCE = 500;
const INTERVAL_MS = 1_000;
const ASK_EVERY_MS = 300;
/** Within the forty replays that a driver may ask for in a minute. */
const ASKS = 39;
const UNLIMITED = "100000/100000";

export type TypingFigures = {
  offers: number;
  /** Of the driver who types, of whose polls these are, and of the other drivers on the same machine. */
  typingP99Ms: number;
  othersP99Ms: number;
  /** The same polls while nobody types. */
  quietP99Ms: number;
  polls: number;
  /** The median time until a replay was answered. */
  answeredMs: number;
};

/**
 * Drivers at 1 s, of whom one after the other edits filters: the page asks for a replay of 10,000 offers every 300 ms.
 * All run in one process here; in production the replay runs in the Worker near the driver, and the object near the
 * platform.
 */
export async function benchTyping(): Promise<TypingFigures> {
  const sandbox = await startSandbox();
  const settings = { TEXTS_PER_NETWORK: UNLIMITED, TEXTS_TO_NEW_NUMBERS: UNLIMITED };
  const app = await startLoopbackApp(sandbox.url, settings, { without: ["IDENTITY_LIMIT"] });
  try {
    const platform = { fetch, origin: sandbox.url };
    await postJson(platform, "/sandbox/world", {
      reset: true,
      generate: false,
      quotas: { limit: 100_000, windowSeconds: 60 },
    });
    const drivers: { client: DriverClient; platformId: string }[] = [];
    for (let index = 0; index < DRIVERS; index += 1) {
      const client = await startBenchDriver(app, { sandboxUrl: sandbox.url, index });
      drivers.push({ client, platformId: await platformIdOf(sandbox.url, `bench-${index}@example.com`) });
    }
    const clients = drivers.map(({ client }) => client);
    await fillLogs(clients, sandbox.url);
    const timesBetween = async (from: number, to: number) => {
      const answer = await fetch(`${sandbox.url}/sandbox/platform/poll-times?since=${from}`);
      const times = z.record(z.string(), z.array(z.number())).parse(await answer.json());
      return new Map(Object.entries(times).map(([id, own]) => [id, own.filter((at) => at < to)]));
    };
    const quietFrom = Date.now();
    await pause(DRIVERS * ASKS * ASK_EVERY_MS);
    const quiet = [...(await timesBetween(quietFrom, Date.now())).values()].flatMap(gapsOf);
    const [typing, others, answered]: [number[], number[], number[]] = [[], [], []];
    for (const { client, platformId } of drivers) {
      const from = Date.now();
      answered.push(...(await type(client)));
      for (const [id, own] of await timesBetween(from, Date.now()))
        (id === platformId ? typing : others).push(...gapsOf(own));
    }
    return {
      offers: OFFERS,
      typingP99Ms: p99Lateness(typing, INTERVAL_MS),
      othersP99Ms: p99Lateness(others, INTERVAL_MS),
      quietP99Ms: p99Lateness(quiet, INTERVAL_MS),
      polls: typing.length,
      answeredMs: answered.toSorted((one, other) => one - other)[answered.length >> 1] ?? 0,
    };
  } finally {
    await app.stop();
    await sandbox.stop();
  }
}

/** Lets all drivers see so many offers, of which their filters want none. */
async function fillLogs(clients: readonly DriverClient[], sandboxUrl: string): Promise<void> {
  const [first] = clients;
  if (!first) return;
  const { warehouses } = await first.warehouses();
  const ids = warehouses.map(({ warehouseId }) => warehouseId);
  for (const client of clients)
    await client.saveFilters(
      permissiveFilters(ids.map((id) => permissiveWarehouseFilter(id, { minPriceCents: 50_000 }))),
    );
  for (let made = 0; made < OFFERS; made += OFFERS_AT_ONCE) {
    const batch = Array.from({ length: OFFERS_AT_ONCE }, (_, index) => made + index);
    const dropped = await Promise.all(
      batch.map((index) =>
        postJson<{ offerId: string }>({ fetch, origin: sandboxUrl }, "/sandbox/platform/offers", {
          warehouseId: ids[index % ids.length],
          startsAt: new Date(Date.now() + (2 + (index % 20)) * HOUR_MS).toISOString(),
          minutes: 120 + (index % 3) * 60,
          payCents: 4_000 + ((index * 131) % 9_000),
        }),
      ),
    );
    await pause(2.5 * INTERVAL_MS);
    await Promise.all(
      dropped.map(({ offerId }) =>
        fetch(`${sandboxUrl}/sandbox/platform/offers/${offerId}`, { method: "DELETE" }),
      ),
    );
  }
}

/** Asks as the page does while somebody types. @returns how long each answer took */
async function type(client: DriverClient): Promise<number[]> {
  const { filters } = await client.filters();
  const asks = Array.from({ length: ASKS }, async (_, index) => {
    await pause(index * ASK_EVERY_MS);
    const minPriceCents = 6_000 + index * 10;
    const edited = { ...filters, warehouses: filters.warehouses.map((rule) => ({ ...rule, minPriceCents })) };
    const askedAt = performance.now();
    await client.fetchJson("POST", "/flex/v1/filters/replay", { body: { days: 1, filters: edited } });
    return performance.now() - askedAt;
  });
  return Promise.all(asks);
}

async function platformIdOf(sandboxUrl: string, email: string): Promise<string> {
  const answer = await fetch(`${sandboxUrl}/sandbox/platform/world`);
  const world = z.object({ drivers: z.array(z.object({ driverId: z.string(), email: z.string() })) });
  const { drivers } = world.parse(await answer.json());
  return drivers.find((driver) => driver.email === email)?.driverId ?? "";
}

function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}

function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lengthMs));
}
