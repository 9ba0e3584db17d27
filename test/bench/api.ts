import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { signIn } from "../support/sandbox-client.ts";
import { startBuiltApp } from "../support/runtime/built-app.ts";
import { registerDriver } from "../support/drivers.ts";
import { startRuntime, type LocalRuntime } from "../support/runtime/local-runtime.ts";
import { migratedStorage } from "../support/runtime/migrated-storage.ts";

const root = join(import.meta.dirname, "../..");

const CALLS = 400;
const ROUNDS = 3;
/** More than one, so that none of them calls more often than a driver may. */
const DRIVERS = 20;

export type ApiFigures = {
  userPerSecond: number;
  barePerSecond: number;
  /** Throughput relative to a bare Hono route with one D1 read that stands behind files as ours does, in the same run. */
  ratio: number;
};

/** Compares `GET /flex/v1/user`, which verifies a token and loads a record, with a minimal route that reads D1. */
export async function benchApi(): Promise<ApiFigures> {
  const app = await startBuiltApp();
  const bare = await startBare();
  try {
    const drivers: { driverId: string; token: string }[] = [];
    for (let count = 0; count < DRIVERS; count += 1) {
      const driver = await registerDriver(app);
      drivers.push({ driverId: driver.driverId, token: await signIn({ fetch, origin: app.origin }, driver) });
    }
    let calls = 0;
    const nextDriver = () => drivers[(calls += 1) % DRIVERS]!;
    const askUser = () =>
      ask(`${app.origin}/flex/v1/user`, { headers: { authorization: `Bearer ${nextDriver().token}` } });
    const askBare = () => ask(`${bare.origin}/${nextDriver().driverId}`, {});
    await rate(askUser);
    await rate(askBare);
    const rates = { user: 0, bare: 0 };
    // Interleaved, so that other load on the machine affects both.
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.user += (await rate(askUser)) / ROUNDS;
      rates.bare += (await rate(askBare)) / ROUNDS;
    }
    return { userPerSecond: rates.user, barePerSecond: rates.bare, ratio: rates.user / rates.bare };
  } finally {
    await bare.stop();
    await app.stop();
  }
}

/** The minimal route, bundled and started as the product is. */
async function startBare(): Promise<LocalRuntime> {
  const config = join(import.meta.dirname, "bare/wrangler.toml");
  const folder = join(root, ".cache/bare");
  const wrangler = join(root, "node_modules/.bin/wrangler");
  execFileSync(wrangler, ["deploy", "--dry-run", "--outdir", folder, "--config", config], { stdio: "pipe" });
  return startRuntime([{ config, folder }], { storage: await migratedStorage() });
}

async function ask(address: string, init: RequestInit): Promise<void> {
  const response = await fetch(address, init);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  await response.arrayBuffer();
}

/** Sequential calls per second. */
async function rate(call: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  for (let done = 0; done < CALLS; done += 1) await call();
  return (CALLS * 1000) / (performance.now() - startedAt);
}
