import { env } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { createConsoleClient, readConsoleAccess } from "../../../worker/operators/console-client.ts";
import { UsageError } from "../../../worker/operators/arguments.ts";
import { CONSOLE_CHECKS, type Checked } from "../../../worker/operators/console-checks.ts";
import { CONSOLE_COMMANDS } from "../../../worker/operators/console-commands.ts";
import { accessToken, owner } from "../console-harness.ts";
import { apiTarget, createDriver, resetPlatform } from "../harness.ts";
import { createSettled, passBeaconRound, pointBalanceOf, runMinute } from "../payments-harness.ts";

const SERVICE_TOKEN = "c0ffee00000000000000000000000000.access";
const reason = "from the command";

let token: string;
beforeAll(async () => {
  await resetPlatform();
  token = await accessToken({ commonName: SERVICE_TOKEN });
});

/** `npm run ops -- <name> <driver> --…`, with a service token's token. */
async function ops(
  name: string,
  driver: string | undefined,
  values: Record<string, unknown>,
  passphrase?: string,
): Promise<string> {
  const command = CONSOLE_COMMANDS[name];
  if (!command) throw new Error(`no command ${name}`);
  return (await command(connect(), { driver, values, passphrase }, Date.now())).join("\n");
}

/** `npm run ops -- alerts|reconcile …`. */
async function check(name: string, values: Record<string, unknown> = {}): Promise<Checked> {
  const run = CONSOLE_CHECKS[name];
  if (!run) throw new Error(`no check ${name}`);
  return run(connect(), values);
}

function connect() {
  const access = readConsoleAccess({ PUBLIC_URL: `${apiTarget.origin}/`, CF_ACCESS_TOKEN: token });
  if (!access) throw new Error("no way in");
  return createConsoleClient(access, (input, init) => apiTarget.fetch(String(input), init));
}

it("shows a driver by number, with what the console shows", async () => {
  const { driver, paymentId } = await createSettled();
  const shown = await ops("driver", driver.phoneNumber, {});
  expect(shown).toContain(`${driver.driverId}  Ana  ${driver.phoneNumber}`);
  expect(shown).toMatch(/^service {2}until 20\d\d-\d\d-\d\dT[\d:.]+Z$/m);
  expect(shown).toContain(`payment  ${paymentId}  7days  settled  50.22 USD, 0.00 refunded`);
  expect(await ops("driver", "+15550000000", {})).toBe("0 found");
});

it("grants, refunds and prices through the routes, and the log names the service token", async () => {
  const { driver, paymentId } = await createSettled();
  const { phoneNumber } = driver;
  expect(await ops("grant", phoneNumber, { days: "3", reason })).toMatch(/^days {2}Ana {2}done/);
  await ops("grant", phoneNumber, { points: "-20", reason });
  expect(await pointBalanceOf(driver)).toBe(50);
  await ops("refund", phoneNumber, { payment: paymentId, amount: "10.00", "keeps-days": true, reason });
  await ops("price", phoneNumber, { plan: "30days", amount: "149.99", for: "7", reason });
  const log = await owner.log(driver);
  expect(log.map(({ act, operator }) => [act, operator])).toEqual(
    ["special_price", "refund", "points", "days"].map((act) => [act, SERVICE_TOKEN]),
  );
  expect((await owner.page(driver)).payments).toMatchObject([{ refundedCents: 1000 }]);
});

it("shows what a list price would mean, and sets it", async () => {
  const order = { plan: "3days", amount: "39.99", from: "2099-01-01" };
  const shown = await ops("list-price", undefined, { ...order, "dry-run": true });
  expect(shown).toMatch(/^\S+Z {2}3days {2}34\.99\n2099-01-01T00:00:00\.000Z {2}3days {2}39\.99$/);
  expect(await env.DB.prepare(`SELECT * FROM plans WHERE id LIKE 'operator:%'`).first()).toBe(null);
  await expect(ops("list-price", undefined, order)).rejects.toThrow(UsageError);
  const set = await ops("list-price", undefined, { ...order, reason });
  expect(set).toMatch(/^list_price {2}everybody {2}done {2}{"priceCents":3499} → /m);
  await expect(ops("list-price", undefined, { ...order, amount: "0.10", reason })).rejects.toThrow(
    "priceCents: too_small",
  );
  await expect(ops("list-price", undefined, { ...order, from: "soon", reason })).rejects.toThrow(UsageError);
});

it("compares Stripe's books with ours, finds nothing of a payment, then what was planted", async () => {
  const { paymentId } = await createSettled();
  const today = new Date().toISOString().slice(0, 10);
  // The sandbox's Stripe has payments of other tests, too.
  const linesAbout = ({ lines }: Checked) => lines.filter((line) => line.includes(paymentId));
  const compared = await check("reconcile", { from: "2026-10-01", to: today });
  expect(linesAbout(compared)).toEqual([]);
  expect(compared.lines.at(-1)).toMatch(/^\d+ paid, \d+\.\d\d in all, \d+ differences$/);
  await env.DB.prepare(`DELETE FROM service_credits WHERE source = ?`).bind(`payment:${paymentId}`).run();
  const found = await check("reconcile", { from: today, to: today });
  expect([found.isWell, linesAbout(found)]).toEqual([
    false,
    [expect.stringMatching(/^days {2}payment \S+ {2}intent pi_\w+ {2}Stripe 7 {2}ours 0$/)],
  ]);
  await expect(check("reconcile", { from: "yesterday", to: today })).rejects.toThrow(UsageError);
  for (const days of [
    "from=2026-01-01&to=2026-02-01",
    "from=2026-02-30&to=2026-03-01",
    "from=2026-03-02&to=2026-03-01",
  ])
    expect([days, (await owner.call("GET", `/reconcile?${days}`)).status]).toEqual([days, 400]);
});

it("lists open alerts, oldest first, and none that is over or resolved", async () => {
  expect(await check("alerts")).toEqual({ lines: ["0 open alerts"], isWell: true });
  const at = Date.UTC(2026, 10, 22);
  const resolved = `INSERT INTO payment_alerts (id, kind, intent_id, at, resolved_at) VALUES`;
  await env.DB.batch([
    env.DB.prepare(`${resolved} ('mismatch:pi_1', 'mismatch', 'pi_1', ?, NULL)`).bind(at),
    env.DB.prepare(`${resolved} ('mismatch:pi_2', 'mismatch', 'pi_2', ?, ?)`).bind(at, at),
    env.DB.prepare(
      `INSERT INTO service_alerts (name, reason, since, until) VALUES ('texts.to_drivers', 'ceiling_by_day', ?, ?), ('texts.gateway', 'credentials', ?, ?)`,
    ).bind(at - 1, Date.now() + 86_400_000, at, at + 1),
  ]);
  expect(await check("alerts")).toEqual({
    lines: [
      `${new Date(at - 1).toISOString()}  texts.to_drivers  ceiling_by_day`,
      `${new Date(at).toISOString()}  mismatch  payment none  intent pi_1`,
      "2 open alerts",
    ],
    isWell: false,
  });
  await env.DB.batch([
    env.DB.prepare(`DELETE FROM payment_alerts`),
    env.DB.prepare(`DELETE FROM service_alerts`),
  ]);
});

it("limits a city and lists all", async () => {
  const limit = { city: "Boise", spots: "5", reason };
  await expect(ops("spots", undefined, limit)).rejects.toThrow('No driver is in "Boise".');
  const shown = await ops("spots", undefined, { ...limit, "new-city": true });
  expect(shown).toContain("Boise  5 spots  0 taken  0 waiting");
  expect(await ops("spots", undefined, { city: "Boise", spots: "none", reason })).not.toContain("Boise  ");
});

it("announces a raffle with a seed that only the passphrase opens, and draws it once it is over", async () => {
  const december = {
    id: "december",
    plan: "14days",
    from: "2026-01-01",
    to: "2099-12-31",
    winners: "2",
    reason,
  };
  await expect(ops("promotion", undefined, december)).rejects.toThrow(UsageError);
  const made = await ops("promotion", undefined, december, "correct horse battery");
  expect(made).toMatch(/fingerprint {2}[0-9a-f]{64}/);
  const draw = (passphrase?: string, values: object = {}) =>
    ops("draw", undefined, { id: "december", reason, ...values }, passphrase);
  await expect(draw("correct horse battery")).rejects.toThrow("before it is over: it ends at 2100-01-01");
  await env.DB.prepare(`UPDATE promotions SET ends_at = 1 WHERE id = 'december'`).run();
  await expect(draw("another")).rejects.toThrow("does not open its seed");
  await expect(draw(undefined, { seed: "another" })).rejects.toThrow("does not fit");
  await expect(draw("correct horse battery")).rejects.toThrow("its entries close at 1970-01-01T02:00");
  await runMinute();
  await expect(draw("correct horse battery")).rejects.toThrow("when its beacon is published");
  await passBeaconRound("december");
  await expect(draw("correct horse battery", { signature: "b".repeat(96) })).rejects.toThrow("signature");
  expect(await draw("correct horse battery")).toMatch(/^draw {2}everybody {2}done/);
  await expect(draw("correct horse battery")).rejects.toThrow("drawn already");
  await expect(ops("draw", undefined, { id: "none", reason }, "x")).rejects.toThrow("no such raffle");
});

it("says in the console's own words what it refuses, and shows its usage for what is no command", async () => {
  const { phoneNumber } = await createDriver();
  await expect(ops("grant", phoneNumber, { points: "-20", reason })).rejects.toThrow("points_short");
  await expect(ops("grant", phoneNumber, { days: "-300", reason })).rejects.toThrow("days: too_large");
  await expect(ops("grant", "+15550000000", { days: "1", reason })).rejects.toThrow("Nobody was found.");
  await expect(ops("grant", phoneNumber, { days: "1" })).rejects.toThrow(UsageError);
  await expect(ops("grant", phoneNumber, { days: "1", points: "1", reason })).rejects.toThrow(UsageError);
  await expect(ops("price", phoneNumber, { plan: "1day", amount: "1.00", for: "1", reason })).rejects.toThrow(
    UsageError,
  );
});

it("needs an address and a way in", () => {
  expect(readConsoleAccess({ PUBLIC_URL: "https://a.example" })).toBe(null);
  expect(readConsoleAccess({ CF_ACCESS_TOKEN: "t" })).toBe(null);
  expect(
    readConsoleAccess({
      PUBLIC_URL: "https://a.example",
      CF_ACCESS_CLIENT_ID: "i",
      CF_ACCESS_CLIENT_SECRET: "s",
    }),
  ).toEqual({
    url: "https://a.example",
    headers: { "cf-access-client-id": "i", "cf-access-client-secret": "s" },
  });
});
