import { DriverClient } from "../support/driver-client.ts";
import {
  permissiveFilters,
  permissiveWarehouseFilter,
  linkPlatformAccount,
  postJson,
  signIn,
} from "../support/sandbox-client.ts";
import { startBuiltApp, type BuiltApp } from "../support/runtime/built-app.ts";
import { connectDashboard, type DashboardConnection } from "./dashboard-connection.ts";
import { registerDriver, type RegisteredDriver } from "../support/drivers.ts";

/** How often an interval is measured: enough for a 99th percentile below the maximum. */
const samplesAt = (intervalMs: number) => Math.max(100, Math.ceil(50_000 / intervalMs));
const GOLDEN_RATIO = 0.618_034;
const DAY_MS = 86_400_000;

/** `acceptMs`: how long the platform takes to answer an accept; 0 if it answers at once. */
export type CaptureConditions = { intervalMs: number; acceptMs: number; tickers?: number };

export type CaptureFigures = CaptureConditions & {
  samples: number;
  meanMs: number;
  p95Ms: number;
  roundTripMs: number;
  /** T/2 + round trip: what no poller at this interval can better. */
  boundMs: number;
  /** Of the mean to that. */
  ratio: number;
  /** From the accept reaching the platform to the event reaching an open dashboard. */
  toldP99Ms: number;
  lineRoundTripMs: number;
};

/** Measures the time from an offer's publication to its accept reaching the platform, in turbo mode, with the built product. */
export async function benchCapture({
  intervalMs,
  acceptMs,
  tickers = 0,
}: CaptureConditions): Promise<CaptureFigures> {
  const app = await startBuiltApp({
    settings: { POLL_FLOOR_MS: String(intervalMs), TICKERS: String(tickers) },
  });
  try {
    const driver = await turboDriver(app);
    if (acceptMs > 0)
      await postJson({ fetch, origin: app.origin }, "/sandbox/faults", {
        operation: "acceptOffer",
        fault: "slow",
        delayMs: acceptMs,
      });
    const connection = await connectDashboard(app.origin, driver.client);
    const {
      waits: acceptDelays,
      meanMs,
      told: notifyDelays,
    } = await measure(app, { ...driver, connection }, { intervalMs, acceptMs });
    const lineRoundTripMs = await connection.roundTripMs();
    connection.close();
    const roundTripMs = await roundTrip(app);
    const boundMs = intervalMs / 2 + roundTripMs;
    return {
      intervalMs,
      acceptMs,
      samples: acceptDelays.length,
      meanMs,
      p95Ms: percentile(acceptDelays, 0.95),
      roundTripMs,
      boundMs,
      ratio: meanMs / boundMs,
      toldP99Ms: percentile(notifyDelays, 0.99),
      lineRoundTripMs,
    };
  } finally {
    await app.stop();
  }
}

/** By the nearest rank: the smallest value that at least this share of all does not exceed. */
const percentile = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? 0;

type TurboDriver = RegisteredDriver & { warehouseId: string; client: DriverClient };

async function turboDriver(app: BuiltApp): Promise<TurboDriver> {
  const outside = { fetch, origin: app.origin };
  await postJson(outside, "/sandbox/world", {
    reset: true,
    generate: false,
    weeklyLimitMinutes: 1_000_000,
    quotas: { limit: 100_000, windowSeconds: 60 },
  });
  const person = await registerDriver(app);
  const client = new DriverClient({ ...outside, token: await signIn(outside, person) });
  await linkPlatformAccount({ ...outside, client }, "bench@example.com");
  const { warehouses } = await client.warehouses();
  const warehouse = warehouses[0];
  if (!warehouse) throw new Error("the sandbox lists no warehouse");
  await client.saveFilters(permissiveFilters([permissiveWarehouseFilter(warehouse.warehouseId)]));
  await client.patchUser({ mode: "masacre" });
  await client.patchUser({ phoneNumber: person.phoneNumber, userDisabled: 0 });
  return { ...person, client, warehouseId: warehouse.warehouseId };
}

async function measure(
  app: BuiltApp,
  { warehouseId, connection }: { warehouseId: string; connection: DashboardConnection },
  { intervalMs, acceptMs }: CaptureConditions,
): Promise<{ waits: number[]; meanMs: number; told: number[] }> {
  const outside = { fetch, origin: app.origin };
  const published = new Map<string, number>();
  await pause(2 * intervalMs + 500);
  for (let sample = 0; sample < samplesAt(intervalMs); sample += 1) {
    // Slow accepts overlap, but never four of them, so that none waits for another.
    if (acceptMs > 0) await pause(acceptMs / 2);
    // At no particular time between two polls.
    await pause(intervalMs * (1 + ((sample * GOLDEN_RATIO) % 1)));
    const { offerId, publishedAt } = await postJson<{ offerId: string; publishedAt: number }>(
      outside,
      "/sandbox/platform/offers",
      {
        warehouseId,
        startsAt: new Date(Date.now() + DAY_MS / 2 + sample * 5_400_000).toISOString(),
        minutes: 60,
        payCents: 5000,
      },
    );
    published.set(offerId, publishedAt);
  }
  await pause(2 * intervalMs + acceptMs + 1000);
  const answer = await fetch(`${app.origin}/sandbox/platform/accepts`);
  const { accepts } = (await answer.json()) as { accepts: { offerId: string; at: number }[] };
  const known = accepts.filter(({ offerId }) => published.has(offerId));
  const waits = known.map(({ offerId, at }) => at - (published.get(offerId) ?? at));
  return {
    waits,
    meanMs: meanWait(
      waits,
      known.map(({ offerId }) => published.get(offerId) ?? 0),
      connection.polledAt,
    ),
    told: known.flatMap(({ offerId, at }) => {
      const notifiedAt = connection.notifiedAt.get(offerId);
      return notifiedAt === undefined ? [] : [notifiedAt - at];
    }),
  };
}

/**
 * The mean wait, without the chance that the few publications met more or less of the time between two polls. That part
 * of a wait is known for each of them, and its true mean from all polls: Σgap² ÷ 2Σgap (a control variate).
 */
function meanWait(
  waits: readonly number[],
  publishedAt: readonly number[],
  polledAt: readonly number[],
): number {
  const untilNextPoll = publishedAt.map((at) => (polledAt.find((poll) => poll >= at) ?? at) - at);
  const gaps = polledAt.slice(1).map((at, index) => at - (polledAt[index] ?? at));
  const trueMean = sum(gaps.map((gap) => gap * gap)) / (2 * sum(gaps));
  return sum(waits) / waits.length - sum(untilNextPoll) / untilNextPoll.length + trueMean;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

async function roundTrip(app: BuiltApp): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < 50; call += 1) {
    const startedAt = performance.now();
    await (await fetch(`${app.origin}/sandbox/health`)).text();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((one, other) => one - other)[25] ?? 0;
}

function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lengthMs));
}
