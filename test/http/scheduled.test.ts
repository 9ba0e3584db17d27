import { expect, it, vi } from "vitest";
import type { Env } from "../../durable/runtime/env.ts";
import { runScheduled } from "../../worker/cron/scheduled.ts";
import { openCheckout } from "../payments/checkout-harness.ts";

it("counts a run as failed where a step of it failed, and says which without the cause", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const { env, run } = openCheckout();
  run(`DROP TABLE fleet_state_counts`);
  const scheduled = runScheduled("* * * * *", env as unknown as Env);
  await expect(scheduled).rejects.toThrow(/^see cron\.step\.failed in the log: .*\bfleet_states\b/);
  await expect(scheduled).rejects.not.toHaveProperty("cause");
  written.mockRestore();
});
