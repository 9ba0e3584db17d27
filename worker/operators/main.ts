import { execFile } from "node:child_process";
import { parseArgs, promisify } from "node:util";
import { Stripe } from "stripe";
import * as z from "zod/mini";
import { DAY_MS } from "../../db/shapes/units.ts";
import { reconcileSpan, type Query, type Period } from "./reconcile-span.ts";

// `npm run ops -- reconcile --from 2026-11-01 --to 2026-11-30 [--local]`: compares Stripe's books with ours, both days included, in UTC.

const USAGE = `npm run ops -- reconcile --from 2026-11-01 --to 2026-11-30 [--local]
npm run ops -- alerts [--local]

STRIPE_SECRET_KEY   the secret key, or a restricted one that reads payment intents, refunds and disputes
STRIPE_URL          another address than Stripe's own
`;

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));
const results = z.array(z.object({ results: z.unknown() }));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { from: { type: "string" }, to: { type: "string" }, local: { type: "boolean", default: false } },
});

switch (positionals[0]) {
  case "reconcile":
    await reconcile();
    break;
  case "alerts":
    await showAlerts();
    break;
  default:
    fail(USAGE);
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
  const rows = z.parse(
    z.array(
      z.object({
        kind: z.string(),
        payment_id: z.nullable(z.string()),
        intent_id: z.nullable(z.string()),
        at: z.number(),
      }),
    ),
    await queryD1(
      "SELECT kind, payment_id, intent_id, at FROM payment_alerts WHERE resolved_at IS NULL ORDER BY at",
    ),
  );
  for (const { kind, payment_id: paymentId, intent_id: intentId, at } of rows) {
    print(
      `${new Date(at).toISOString()}  ${kind}  payment ${paymentId ?? "none"}  intent ${intentId ?? "none"}`,
    );
  }
  print(`${rows.length} open alerts`);
  if (rows.length > 0) process.exitCode = 1;
}

function readSpan(): Period {
  const [from, to] = [z.safeParse(day, values.from), z.safeParse(day, values.to)];
  if (!from.success || !to.success) return fail(USAGE);
  const span = { from: Date.parse(from.data), to: Date.parse(to.data) + DAY_MS };
  return span.from < span.to ? span : fail(USAGE);
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
