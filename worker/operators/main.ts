import { parseArgs } from "node:util";
import { UsageError } from "./arguments.ts";
import { ConsoleError, createConsoleClient, readConsoleAccess } from "./console-client.ts";
import { CONSOLE_CHECKS } from "./console-checks.ts";
import { CONSOLE_COMMANDS } from "./console-commands.ts";

// `npm run ops -- <command> …`: what operators do in the console, from a shell.

const USAGE = `Through the console, of which each act is written in the log; a driver is named by number, its last four digits, name, platform e-mail or id:

npm run ops -- driver "(555) 010-0100"
npm run ops -- grant +15550100100 --days 3 | --points 100 --reason "…"
npm run ops -- refund +15550100100 --payment <id> --amount 25.00 [--keeps-days] --reason "…"
npm run ops -- price +15550100100 --plan 30days --amount 149.99 --for 7 --reason "…"
npm run ops -- price --plan 14days --amount 69.99 --from 2026-11-27 --to 2026-11-30 --reason "…"
npm run ops -- list-price --plan 14days --amount 94.99 [--from 2027-01-01] [--dry-run] --reason "…"
npm run ops -- disable|enable +15550100100 --reason "…"
npm run ops -- spots [--city "New York City" --spots 50|none --reason "…" [--new-city]]
                                                 --new-city: no driver is in it yet
npm run ops -- promotion --id december --plan 14days --from 2026-12-01 --to 2026-12-31 --winners 10 --reason "…"
                         [--prize-en … --prize-es … --prize-pt …] [--seed-hash …]
npm run ops -- draw --id december --reason "…" [--seed …] [--signature …]
npm run ops -- after-restore --reason "…"        once a database was restored: prints what it did; renewals wait
npm run ops -- release-renewals --reason "…"     lets them go on
npm run ops -- revoke-keys|rotate-keys|end-sessions --reason "…"
npm run ops -- compensate-raffle --id december --points 500 --reason "…"     for one whose seed is lost
npm run ops -- alerts
npm run ops -- reconcile --from 2026-11-01 --to 2026-11-30
npm run ops -- balance --to 2026-11-30
npm run ops -- journal --from 2026-11-01 --to 2026-11-30 > november.csv

By itself, with the settings in wrangler.toml, in a file of secrets and in the environment:

npm run ops -- doctor [--before] [--secrets-file .secrets.env] [--email <a driver's account at the platform>]
                                                 asks each outside service; --before: the deployment is still to come

PUBLIC_URL                                      the deployment's address
OPS_URL                                         the console's own address, where the deployment has that setting
CF_ACCESS_CLIENT_ID, CF_ACCESS_CLIENT_SECRET    a service token of Cloudflare Access whose id is in OPS_OWNERS or OPS_SUPPORT
CF_ACCESS_TOKEN                                 instead of it, what cloudflared access token prints
RAFFLE_PASSPHRASE                               seals the seed of a promotion until its draw, which needs the same
CONFORM_PASSWORD                                the password of that account at the platform
`;

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
    signature: { type: "string" },
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
    "dry-run": { type: "boolean", default: false },
    "keeps-days": { type: "boolean", default: false },
    "new-city": { type: "boolean", default: false },
    before: { type: "boolean", default: false },
    "secrets-file": { type: "string", default: ".secrets.env" },
    email: { type: "string" },
    config: { type: "string", default: "wrangler.toml" },
  },
});

const [name = "", driver] = positionals;
const command = CONSOLE_COMMANDS[name];
const check = CONSOLE_CHECKS[name];
const access = readConsoleAccess(process.env);
if (name === "doctor") {
  // Loaded only here: it brings along what reads wrangler.toml.
  const { consultDoctor } = await import("./doctor/consult-doctor.ts");
  const { lines, isWell } = await consultDoctor(values, process.env);
  print(lines);
  process.exit(isWell ? 0 : 1);
}
if (access === null || (!command && !check)) fail(USAGE);

const client = createConsoleClient(access);
const typed = { driver, values, passphrase: process.env["RAFFLE_PASSPHRASE"] };
try {
  if (command) print(await command(client, typed, Date.now()));
  if (check) {
    const { lines, isWell } = await check(client, values);
    print(lines);
    if (!isWell) process.exitCode = 1;
  }
} catch (error) {
  if (error instanceof UsageError) fail(USAGE);
  if (error instanceof ConsoleError) fail(`${error.message}\n`);
  throw error;
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function fail(message: string): never {
  process.stderr.write(message);
  process.exit(2);
}
