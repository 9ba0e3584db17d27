import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import { START } from "../platform/sandbox-harness.ts";
import { openStripeHarness } from "./stripe-harness.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DAY = new Date(START).toISOString().slice(0, 10);

/** A folder like the project's, with a database of its own: what the program looks for is found where it is run. */
const place = mkdtempSync(join(tmpdir(), "jornada-ops-"));
let harness: Awaited<ReturnType<typeof openStripeHarness>>;

beforeAll(async () => {
  for (const name of ["wrangler.toml", "node_modules", "db"])
    symlinkSync(join(ROOT, name), join(place, name));
  harness = await openStripeHarness();
  await harness.clear();
  const migrations = readdirSync(join(ROOT, "db/migrations")).filter((name) => name.endsWith(".sql"));
  const statements = migrations
    .toSorted()
    .map((name) => readFileSync(join(ROOT, "db/migrations", name), "utf8"));
  await execute([...statements, ...(await Promise.all(["p1", "p2"].map(addPayment)))].join(";\n"));
}, 120_000);
afterAll(async () => {
  await harness.server.stop();
  rmSync(place, { recursive: true });
});

/** Pays at Stripe, and says how our books have it. */
async function addPayment(id: string): Promise<string> {
  const { id: intentId } = await harness.pay("4242424242424242", {
    amount: 5022,
    metadata: { payment_id: id, days: "7" },
  });
  return `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
    VALUES ('${id}', 'ana', '${intentId}', '7days', 'settled', 'USD', 4987, 0, 0, 0, 35, 5022, 0, ${START}, ${START}, 1);
    INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES ('payment:${id}', 'ana', ${7 * DAY_MS}, ${START})`;
}

async function execute(sql: string): Promise<void> {
  writeFileSync(join(place, "change.sql"), sql);
  const { code, output } = await run(
    join(ROOT, "node_modules/.bin/wrangler"),
    "d1 execute jornada --local --persist-to .wrangler/state --file change.sql".split(" "),
  );
  if (code !== 0) throw new Error(output);
}

/** `npm run ops -- …`, as an operator runs it. */
const ops = (...args: string[]) => run(process.execPath, [join(ROOT, "worker/operators/main.ts"), ...args]);

function run(
  program: string,
  args: string[],
  more: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    ...more,
    STRIPE_SECRET_KEY: "sk_test_sandbox",
    STRIPE_URL: harness.server.url,
    WRANGLER_SEND_METRICS: "false",
  };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: place, env, timeout: 90_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

it("compares Stripe's books with the database's, finds nothing, then what was planted", async () => {
  const span = ["reconcile", "--from", DAY, "--to", DAY, "--local"];
  expect(await ops(...span)).toEqual({ code: 0, output: "2 paid, 100.44 in all, 0 differences\n" });
  await execute(`DELETE FROM service_credits WHERE source = 'payment:p2'`);
  const found = await ops(...span);
  expect(found.output).toMatch(
    /^days {2}payment p2 {2}intent pi_\w+ {2}Stripe 7 {2}ours 0\n2 paid, 100\.44 in all, 1 differences\n$/,
  );
  expect(found.code).toBe(1);
}, 120_000);

it("tells a database that can't be read from differences", async () => {
  rmSync(join(place, "wrangler.toml"));
  try {
    const { code, output } = await ops("alerts", "--local");
    expect([code, output]).toEqual([2, expect.stringContaining("wrangler can't read the database")]);
  } finally {
    symlinkSync(join(ROOT, "wrangler.toml"), join(place, "wrangler.toml"));
  }
}, 120_000);

it("says how it is used where it does not know the console, and that it can't reach it", async () => {
  const disable = ["disable", "+15550100177", "--reason", "a test"];
  expect(await ops(...disable)).toMatchObject({
    code: 2,
    output: expect.stringContaining("CF_ACCESS_CLIENT_ID"),
  });
  const env = { PUBLIC_URL: "http://127.0.0.1:9", CF_ACCESS_TOKEN: "token" };
  expect(
    await run(process.execPath, [join(ROOT, "worker/operators/main.ts"), ...disable], env),
  ).toMatchObject({
    code: 2,
    output: expect.stringContaining("http://127.0.0.1:9 can't be reached"),
  });
}, 120_000);

it("lists open alerts, and says how it is used", async () => {
  expect(await ops("alerts", "--local")).toEqual({ code: 0, output: "0 open alerts\n" });
  await execute(
    `INSERT INTO payment_alerts (id, kind, intent_id, at) VALUES ('mismatch:pi_1', 'mismatch', 'pi_1', ${START});
     INSERT INTO service_alerts (name, reason, since, until) VALUES
       ('texts.to_drivers', 'ceiling_by_day', ${START}, ${Date.now() + DAY_MS}),
       ('texts.gateway', 'credentials', ${START}, ${Date.now() - DAY_MS})`,
  );
  const { code, output } = await ops("alerts", "--local");
  expect([code, output]).toEqual([
    1,
    `${new Date(START).toISOString()}  mismatch  payment none  intent pi_1
${new Date(START).toISOString()}  texts.to_drivers  ceiling_by_day
2 open alerts
`,
  ]);
  for (const wrong of [[], ["refund"], ["reconcile", "--from", "yesterday"]]) {
    const told = await ops(...wrong);
    expect([told.code, told.output]).toEqual([2, expect.stringContaining("npm run ops -- reconcile")]);
  }
}, 120_000);
