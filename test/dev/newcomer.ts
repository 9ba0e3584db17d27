import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { DriverClient } from "../support/driver-client.ts";
import { postJson } from "../support/sandbox-client.ts";
import { signInDemoDriver } from "./demo-driver.ts";

// A newcomer's first steps: starts the demonstration, sees the demo driver capture a block, and stops it. It leaves the
// files that the demonstration makes, beside which the tests have to pass.
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const STARTS_WITHIN_MS = 240_000;
const CAPTURES_WITHIN_MS = 180_000;
const STOPS_WITHIN_MS = 15_000;
const HOUR_MS = 3_600_000;
const READY = "Ctrl+C stops it";

const wonBlocks = z.object({ items: z.array(z.object({ block: z.object({ acceptedAt: z.number() }) })) });

const port = await freePort();
// In a group of its own, which ends with its runtime and all else that it started.
const demonstration = spawn("npm", ["run", "dev", "--", "--port", String(port)], {
  cwd: ROOT,
  detached: true,
  stdio: ["ignore", "pipe", "pipe"],
});
let printed = "";
for (const output of [demonstration.stdout, demonstration.stderr])
  output.on("data", (text: Buffer) => (printed += text.toString()));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    end(demonstration, "SIGKILL");
    process.exit(1);
  });

try {
  await within(STARTS_WITHIN_MS, "the demonstration did not start", () => printed.includes(READY));
  const startedAt = Date.now();
  const origin = `http://localhost:${port}`;
  const client = new DriverClient({ fetch: boundedFetch, origin, token: await signInDemoDriver(origin) });
  const { warehouses } = await client.warehouses();
  let dropped = 0;
  await within(CAPTURES_WITHIN_MS, "nothing was captured", async () => {
    // At the desk, one after another: the first may start within a block that the driver has.
    if (Date.now() - startedAt >= dropped * 10_000)
      await dropOffer(origin, warehouses[0]?.warehouseId, ++dropped);
    const { items } = wonBlocks.parse(await client.fetchJson("GET", "/flex/v1/blocks?type=won"));
    return items.some(({ block }) => block.acceptedAt >= startedAt);
  });
  console.log(
    `The demonstration captured a block ${Math.round((Date.now() - startedAt) / 1000)} s after its start.`,
  );
} catch (error) {
  console.error(`${String(error)}\n\nThe demonstration printed:\n${printed}`);
  process.exitCode = 1;
} finally {
  await stop(demonstration);
}

/** Waits until a condition holds, no longer than the demonstration runs. */
async function within(
  limitMs: number,
  failure: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const giveUpAt = Date.now() + limitMs;
  while (!(await holds())) {
    if (demonstration.exitCode !== null)
      throw new Error(`${failure}: it ended with ${demonstration.exitCode}`);
    if (Date.now() > giveUpAt) throw new Error(`${failure} within ${limitMs / 1000} s`);
    await sleep(500);
  }
}

/** A block that the demo driver's filters take, hours after the one before. */
async function dropOffer(origin: string, warehouseId: string | undefined, index: number): Promise<void> {
  const hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const startsAt = new Date(hour + (1 + 5 * index) * HOUR_MS).toISOString();
  const offer = { warehouseId, startsAt, minutes: 180, payCents: 18_000 };
  await postJson({ fetch: boundedFetch, origin }, "/sandbox/platform/offers", offer);
}

function boundedFetch(input: string, init: RequestInit = {}): Promise<Response> {
  return fetch(input, { ...init, signal: AbortSignal.timeout(30_000) });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) {
    end(child, "SIGINT");
    await Promise.race([once(child, "exit"), sleep(STOPS_WITHIN_MS, undefined, { ref: false })]);
  }
  end(child, "SIGKILL");
}

/** Signals the whole group, of which nothing may be left. */
function end({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "localhost");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
