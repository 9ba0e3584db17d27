import { DriverClient } from "../support/driver-client.ts";
import { easyFilters, easyRule, link, post, signIn } from "../support/demo.ts";
import { startBuiltApp, type BuiltApp } from "../support/built-app.ts";
import { registerDriver, type TestPerson } from "../support/people.ts";

const SAMPLES = 60;
const DAY_MS = 86_400_000;

export type CaptureFigures = {
  intervalMs: number;
  samples: number;
  meanMs: number;
  p95Ms: number;
  roundTripMs: number;
  /** What the budget allows: 1.1 · (T/2 + round trip). */
  boundMs: number;
  ratio: number;
};

/** Publication of an offer to its accept arriving at the platform, in turbo mode, over the built product. */
export async function benchCapture(intervalMs: number): Promise<CaptureFigures> {
  const app = await startBuiltApp({ settings: { POLL_FLOOR_MS: String(intervalMs) } });
  try {
    const waits = await measure(app, await turboDriver(app), intervalMs);
    const roundTripMs = await roundTrip(app);
    const meanMs = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    const boundMs = 1.1 * (intervalMs / 2 + roundTripMs);
    const p95Ms = waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.95)] ?? 0;
    return {
      intervalMs,
      samples: waits.length,
      meanMs,
      p95Ms,
      roundTripMs,
      boundMs,
      ratio: meanMs / boundMs,
    };
  } finally {
    await app.stop();
  }
}

async function turboDriver(app: BuiltApp): Promise<TestPerson & { warehouseId: string }> {
  const outside = { fetch, origin: app.origin };
  await post(outside, "/sandbox/world", {
    reset: true,
    generate: false,
    weeklyLimitMinutes: 1_000_000,
    quotas: { limit: 100_000, windowSeconds: 60 },
  });
  const person = await registerDriver(app);
  const client = new DriverClient({ ...outside, token: await signIn(outside, person) });
  await link({ ...outside, client }, "bench@example.com");
  const { warehouses } = await client.warehouses();
  const warehouse = warehouses[0];
  if (!warehouse) throw new Error("the sandbox lists no warehouse");
  await client.saveFilters(easyFilters([easyRule(warehouse.warehouseId)]));
  await client.patchUser({ mode: "masacre" });
  await client.patchUser({ phoneNumber: person.phoneNumber, userDisabled: 0 });
  return { ...person, warehouseId: warehouse.warehouseId };
}

async function measure(
  app: BuiltApp,
  person: { warehouseId: string },
  intervalMs: number,
): Promise<number[]> {
  const outside = { fetch, origin: app.origin };
  const published = new Map<string, number>();
  await pause(2 * intervalMs + 500);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    // Spread over the interval, so that the poll's own rhythm does not decide.
    await pause(intervalMs * (0.6 + 0.8 * Math.random()));
    const { offerId, publishedAt } = await post<{ offerId: string; publishedAt: number }>(
      outside,
      "/sandbox/platform/offers",
      {
        warehouseId: person.warehouseId,
        startsAt: new Date(Date.now() + DAY_MS / 2 + sample * 5_400_000).toISOString(),
        minutes: 60,
        payCents: 5000,
      },
    );
    published.set(offerId, publishedAt);
  }
  await pause(2 * intervalMs + 1000);
  const answer = await fetch(`${app.origin}/sandbox/platform/accepts`);
  const { accepts } = (await answer.json()) as { accepts: { offerId: string; at: number }[] };
  return accepts.flatMap(({ offerId, at }) => {
    const publishedAt = published.get(offerId);
    return publishedAt === undefined ? [] : [at - publishedAt];
  });
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
