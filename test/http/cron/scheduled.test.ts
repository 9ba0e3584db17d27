import { expect, it, vi } from "vitest";
import type { Env } from "../../../durable/runtime/env.ts";
import { HOURLY_CRON } from "../../../worker/cron/hourly-cron.ts";
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

it("rests while a master key is missing, so that nothing is sealed under another, and says so", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const told: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    told.push(await request.text());
    return new Response();
  });
  const alerts = { ALERT_URL: "https://alerts.example/", ALERT_FORM: "slack" };
  const { env, run, rows } = openCheckout({ ...alerts, IDENTITY: "embedded" });
  run(`INSERT INTO master_key_uses (key_id, what, uses, counted_at) VALUES ('former', 'passwords', 1, 0)`);
  const kept = rows(`SELECT * FROM master_key_uses`);
  for (const cron of ["* * * * *", HOURLY_CRON]) await runScheduled(cron, env as unknown as Env);
  expect(rows(`SELECT * FROM master_key_uses`)).toEqual(kept);
  const ran = rows(`SELECT name FROM cron_steps WHERE succeeded_at IS NOT NULL ORDER BY name`);
  expect(ran.map(({ name }) => name)).toEqual(["alerts", "former_steps", "objects", "watch"]);
  expect(told.filter((text) => text.includes("settings.core: MASTER_KEYS"))).toHaveLength(1);
  expect(String(written.mock.calls)).toContain("MASTER_KEYS lacks the key former");
  run(`UPDATE master_key_uses SET key_id = 'test'`);
  for (const cron of ["* * * * *", HOURLY_CRON])
    await runScheduled(cron, env as unknown as Env).catch(() => {});
  expect(rows(`SELECT key_id AS id FROM master_key_uses WHERE what = 'current'`)).toEqual([{ id: "test" }]);
  expect(rows(`SELECT 1 FROM cron_steps WHERE name = 'signing_keys' AND succeeded_at > 0`)).toHaveLength(1);
  vi.unstubAllGlobals();
  written.mockRestore();
});
