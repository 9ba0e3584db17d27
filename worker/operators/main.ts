import { execFile } from "node:child_process";
import { parseArgs, promisify } from "node:util";
import { Stripe } from "stripe";
import * as z from "zod/mini";
import { parseDays } from "./arguments.ts";
import { ConsoleError, createConsoleClient, readConsoleAccess } from "./console-client.ts";
import { CONSOLE_COMMANDS, UsageError } from "./console-commands.ts";
import { formatOpenAlerts } from "./open-alerts.ts";
import { reconcileSpan, type Query, type Period } from "./reconcile-span.ts";

// `npm run ops -- reconcile --from 2026-11-01 --to 2026-11-30 [--local]`: compares Stripe's books with ours, both days included, in UTC.

const USAGE = `npm run ops -- reconcile --from 2026-11-01 --to 2026-11-30 [--local]
npm run ops -- alerts [--local]

Through the console, of which each act is written in the log; a driver is named by number, its last four digits, name or platform e-mail:

npm run ops -- driver "(555) 010-0100"
npm run ops -- grant +15550100100 --days 3 | --points 100 --reason "…"
npm run ops -- refund +15550100100 --payment <id> --amount 25.00 [--keeps-days] --reason "…"
npm run ops -- price +15550100100 --plan 30days --amount 149.99 --for 7 --reason "…"
npm run ops -- price --plan 14days --amount 69.99 --from 2026-11-27 --to 2026-11-30 --reason "…"
npm run ops -- disable|enable +15550100100 --reason "…"
npm run ops -- spots [--city "New York City" --spots 50|none --reason "…"]
npm run ops -- promotion --id december --plan 14days --from 2026-12-01 --to 2026-12-31 --winners 10 --reason "…"
                         [--prize-en … --prize-es … --prize-pt …] [--seed-hash …]
npm run ops -- draw --id december --reason "…" [--seed …]

PUBLIC_URL                                      the deployment's address
CF_ACCESS_CLIENT_ID, CF_ACCESS_CLIENT_SECRET    a service token of Cloudflare Access whose id is in OPS_OWNERS or OPS_SUPPORT
CF_ACCESS_TOKEN                                 instead of it, what cloudflared access token prints
STRIPE_SECRET_KEY   the secret key, or a restricted one that reads payment intents, refunds and disputes
STRIPE_URL          another address than Stripe's own
RAFFLE_PASSPHRASE   seals the seed of a promotion until its draw, which needs the same
`;

const results = z.array(z.object({ results: z.unknown() }));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: "string" },
    to: { type: "string" },
    city: { type: "string" },
    spots: { type: "string" },
    id: { type: "string" },
    plan: { type: "string" },
    winners: { type: "string" },
    seed: { type: "string" },
    "seed-hash": { type: "string" },
    "prize-en": { type: "string" },
    "prize-es": { type: "string" },
    "prize-pt": { type: "string" },
    days: { type: "string" },
    points: { type: "string" },
    payment: { type: "string" },
    amount: { type: "string" },
    for: { type: "string" },
    reason: { type: "string" },
    "keeps-days": { type: "boolean", default: false },
    local: { type: "boolean", default: false },
  },
});

switch (positionals[0]) {
  case "reconcile":
    await reconcile();
    break;
  case "alerts":
    await showAlerts();
    break;
  default:
    await askConsole();
}

async function reconcile(): Promise<void> {
  const { from, to } = readSpan();
  const { payments, paidCents, differences } = await reconcileSpan(
    { stripe: openStripe(), query: queryD1 },
    { from, to },
  );
  for (const { paymentId, intentId, what, stripe, ours } of differences) {
    print(`${what}  payment ${paymentId}  intent ${intentId ?? "none"}  Stripe ${stripe}  ours ${ours}`);
  }
  print(`${payments} paid, ${(paidCents / 100).toFixed(2)} in all, ${differences.length} differences`);
  if (differences.length > 0) process.exitCode = 1;
}

async function showAlerts(): Promise<void> {
  const alerts = await formatOpenAlerts(queryD1, Date.now());
  for (const alert of alerts) print(alert);
  print(`${alerts.length} open alerts`);
  if (alerts.length > 0) process.exitCode = 1;
}

function readSpan(): Period {
  return parseDays(values.from, values.to) ?? fail(USAGE);
}

/** What goes through the console's routes. */
async function askConsole(): Promise<void> {
  const [name = "", driver] = positionals;
  const command = CONSOLE_COMMANDS[name];
  if (!command) return fail(USAGE);
  const access = readConsoleAccess(process.env) ?? fail(USAGE);
  const typed = { driver, values, passphrase: process.env["RAFFLE_PASSPHRASE"] };
  try {
    for (const line of await command(createConsoleClient(access), typed, Date.now())) print(line);
  } catch (error) {
    if (error instanceof UsageError) fail(USAGE);
    if (error instanceof ConsoleError) fail(`${error.message}\n`);
    throw error;
  }
}

function openStripe(): Stripe {
  const key = process.env["STRIPE_SECRET_KEY"] ?? fail(USAGE);
  const { protocol, hostname, port } = new URL(process.env["STRIPE_URL"] ?? "https://api.stripe.com");
  const isPlain = protocol === "http:";
  return new Stripe(key, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? "http" : "https",
    telemetry: false,
  });
}

async function queryD1(sql: string): ReturnType<Query> {
  const place = values.local ? ["--local", "--persist-to", ".wrangler/state"] : ["--remote"];
  const { stdout } = await promisify(execFile)(
    "node_modules/.bin/wrangler",
    ["d1", "execute", "jornada", ...place, "--json", "--command", sql],
    { maxBuffer: 256 * 1024 * 1024 },
    // Not the exit code of differences that were found.
  ).catch((error: unknown) => fail(`wrangler can't read the database: ${String(error)}\n`));
  return z.parse(results, JSON.parse(stdout))[0]?.results;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(message: string): never {
  process.stderr.write(message);
  process.exit(2);
}
