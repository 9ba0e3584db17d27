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

it("forgets a step that no cron has, as after a rollback, and tells nobody that it was missed", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const told: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    told.push(await request.text());
    return new Response();
  });
  const { env, run, rows } = openCheckout({ ALERT_URL: "https://alerts.example/", ALERT_FORM: "slack" });
  const add = `INSERT INTO cron_steps (name, started_at, overdue_at) VALUES (?, 0, 1)`;
  run(add, "of_tomorrow");
  run(add, "books");
  await runScheduled("* * * * *", env as unknown as Env).catch(() => {});
  expect(rows(`SELECT name FROM cron_steps WHERE overdue_at = 1`)).toEqual([{ name: "books" }]);
  expect(told.filter((text) => /cron\.(of_tomorrow|books)/.test(text))).toHaveLength(1);
  vi.unstubAllGlobals();
  written.mockRestore();
});
