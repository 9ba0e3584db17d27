import { expect, it, vi } from "vitest";
import type { Env } from "../../../durable/runtime/env.ts";
import { runScheduled } from "../../../worker/cron/scheduled.ts";
import { openCheckout } from "../../payments/checkout-harness.ts";

it("counts a run as failed where a step of it failed, and says which without the cause", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const { env, run } = openCheckout();
  run(`DROP TABLE fleet_state_counts`);
  const scheduled = runScheduled("* * * * *", env as unknown as Env);
  await expect(scheduled).rejects.toThrow(/^see cron\.step\.failed in the log: .*\bfleet_states\b/);
  await expect(scheduled).rejects.not.toHaveProperty("cause");
  written.mockRestore();
});

it("names each step that failed in a run", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const { env, run } = openCheckout();
  run(`DROP TABLE fleet_state_counts`);
  run(`DROP TABLE announcements`);
  const names = /: (?:\w+, )*fleet_states(?:, \w+)*$/;
  const failure: unknown = await runScheduled("* * * * *", env as unknown as Env).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ message: expect.stringMatching(names) });
  expect(failure).toMatchObject({ message: expect.stringMatching(/\bannouncements\b/) });
  written.mockRestore();
});
