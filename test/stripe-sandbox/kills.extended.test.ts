import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RUN_SEED } from "../support/run-seed.ts";
import { KillStorm, RENEWED, storm } from "./kill-storm.ts";
import { openStripeHarness } from "./stripe-harness.ts";

/**
 * How many storms, each of some deaths: hundreds more by `LIVES=200 npx vitest run --config test/vitest.config.ts
 * --project sandbox kills`.
 */
const STORMS = Number(process.env["LIVES"] ?? 3);
const STORM_LIMIT_MS = 20_000;

let harness: Awaited<ReturnType<typeof openStripeHarness>>;
beforeAll(async () => {
  harness = await openStripeHarness();
});
afterAll(() => harness.server.stop());

it(
  "books each effect exactly once, whichever step of a payment a process dies at, and agrees with Stripe to the cent",
  async () => {
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(storm, async (steps) => {
        await harness.clear();
        const life = new KillStorm(harness);
        for (const step of steps) expect(await life.run(step)).toEqual([]);
        expect(await life.end()).toEqual([]);
        kills += life.kills;
      }),
      { seed: RUN_SEED, numRuns: STORMS + 1, examples: [[RENEWED]] },
    );
    expect(kills).toBeGreaterThan(0);
  },
  Math.max(120_000, STORMS * STORM_LIMIT_MS),
);
