import { spawnSync } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createProbe } from "node:net";
import { fileURLToPath, URL } from "node:url";
import { parseArgs } from "node:util";
import { createServer, type Plugin } from "vite";
import { demoService, startDemoDriver } from "./demo-driver.ts";
import { datedPayments } from "./demo-payments.ts";
import { writeLocalFleet } from "./fleet/fleet-past.ts";
import { quietMiniflare } from "../support/runtime/quiet-miniflare.ts";
import { postJson } from "../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Where wrangler and the dev server keep the local database. */
const STATE_FOLDER = ".wrangler/state";
const LOCAL_STATE = ["--local", "--persist-to", STATE_FOLDER];
const wrangler = `${root}/node_modules/.bin/wrangler`;

/** The contacts that a driver can reach. No phone has the area code 555. */
const SUPPORT_SETTINGS = {
  SUPPORT_EMAIL: "help@example.com",
  SUPPORT_PHONE: "+15550100190",
  SUPPORT_WHATSAPP: "+15550100191,+15550100192",
  ANNOUNCEMENTS_URL: "https://example.com/announcements",
};

const port = readPort();
if (await isTaken(port)) fail(`Port ${port} is taken. Try another: npm run dev -- --port ${port + 1}`);

console.log("Preparing: settings, database, fleet, demo driver…");
writeSettings(`http://localhost:${port}`);
local(["d1", "migrations", "apply", "jornada", ...LOCAL_STATE]);
mkdirSync(`${root}/.cache`, { recursive: true });
writeFileSync(`${root}/.cache/demo-driver.sql`, `${demoService(Date.now())}${datedPayments()}`);
local(["d1", "execute", "jornada", ...LOCAL_STATE, "--yes", "--file", ".cache/demo-driver.sql"]);
const { rows, past } = await writeLocalFleet(`${root}/${STATE_FOLDER}`, Date.now());
if (rows !== null) console.log(`The fleet has a past of three weeks: ${rows} rows.`);

const prepared = Promise.withResolvers<void>();
quietMiniflare();
const server = await createServer({
  configFile: `${root}/web/vite.config.ts`,
  root: `${root}/web`,
  server: { port, strictPort: true, host: "localhost" },
  clearScreen: false,
  logLevel: "warn",
  plugins: [
    playAccess(new URL(consoleUrl(`http://localhost:${port}`)).host, `localhost:${port}`),
    holdSignIn(prepared.promise),
  ],
});
await server.listen();
const origin = `http://localhost:${port}`;
await postJson({ fetch, origin }, "/sandbox/stripe/endpoint", {
  url: `${origin}/webhooks/stripe`,
  secret: DEMO_SETTINGS.STRIPE_WEBHOOK_SECRETS,
});
await postJson({ fetch, origin }, "/sandbox/stripe/past", past);
await postJson({ fetch, origin }, "/sandbox/sms/endpoint", { url: `${origin}/webhooks/texts/incoming` });
// The selfie page is the sandbox's own, which this server shows too.
await postJson({ fetch, origin }, "/sandbox/world", { selfie: { origin } });
await Promise.all([
  warmPage(),
  startDemoDriver(origin, `${root}/${STATE_FOLDER}`, Date.now()).catch((error: unknown) =>
    fail(`The demo driver could not be prepared: ${String(error)}`),
  ),
]);
prepared.resolve();

console.log(`
  Jornada          ${origin}/sandbox/sign-in   (opens the dashboard as the demo driver)
  Sign in          ${origin}/login   (555) 010-0100, password Jornada-1-demo: linked, paid up, on
  Console          ${consoleUrl(origin)}/sandbox/access?as=owner   (the operators' own; or ?as=support)
  Sandbox desk     ${origin}/sandbox   (drop an offer, read the texts, break the platform)

  Ctrl+C stops it. What it captured stays in .wrangler/.
`);

/**
 * Transforms the page's modules before its address is printed: there are some two hundred, and the first dashboard would
 * wait for each of them.
 */
async function warmPage(): Promise<void> {
  const files = globSync("{main.tsx,{routes,features,ui,api}/**/*.{ts,tsx}}", { cwd: `${root}/web` });
  await Promise.all(files.map((file) => server.environments.client.warmupRequest(`/${file}`)));
}

function readPort(): number {
  const { values } = parseArgs({ options: { port: { type: "string", default: "5173" } }, strict: false });
  const given = Number(values.port);
  if (!Number.isInteger(given) || given < 1 || given > 65_535)
    fail(`--port must be a number, not ${String(values.port)}`);
  return given;
}

function isTaken(candidate: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createProbe()
      .once("error", () => resolve(true))
      .once("listening", () => probe.close(() => resolve(false)))
      .listen(candidate, "localhost");
  });
}

/** Keeps existing secrets and generates the missing ones. */
function writeSettings(publicUrl: string): void {
  const file = `${root}/.dev.vars`;
  const known = existsSync(file) ? readFileSync(file, "utf8") : "";
  const existingSetting = (name: string) => new RegExp(`^${name}=(.+)$`, "m").exec(known)?.[1];
  const secret = existingSetting("MASTER_KEYS") ?? `dev:${randomBytes(32).toString("base64")}`;
  const [VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY] = [
    existingSetting("VAPID_PUBLIC_KEY"),
    existingSetting("VAPID_PRIVATE_KEY"),
  ];
  const settings = {
    ...DEMO_SETTINGS,
    IDENTITY: "embedded",
    ...SUPPORT_SETTINGS,
    PUBLIC_URL: publicUrl,
    OPS_URL: consoleUrl(publicUrl),
    CHATWOOT_URL: `${publicUrl}/sandbox/chatwoot`,
    CHATWOOT_TOKEN: "sandbox",
    CHATWOOT_HMAC_KEY: "sandbox",
    CHATWOOT_ACCOUNT_ID: "1",
    CHATWOOT_API_TOKEN: "sandbox-agent",
    RECORDING_SCRIPT_URL: `${publicUrl}/sandbox/recording/tag/sandbox`,
    MASTER_KEYS: secret,
    ...(VAPID_PUBLIC_KEY && VAPID_PRIVATE_KEY ? { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY } : makeVapidKeys()),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
}

/** The console's own host: every name below localhost is this machine. */
function consoleUrl(publicUrl: string): string {
  return publicUrl.replace("//localhost", "//ops.localhost");
}

/** Cloudflare Access before the console's host: it signs in by the sandbox, and adds the assertion to each request. */
function playAccess(consoleHost: string, mainHost: string): Plugin {
  return {
    name: "play-access",
    enforce: "pre",
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.headers.host === consoleHost) {
          const [, token] = /(?:^|; )CF_Authorization=([^;]+)/.exec(request.headers.cookie ?? "") ?? [];
          // The Worker gets the headers as they came.
          if (request.url?.startsWith("/sandbox/access"))
            request.rawHeaders[request.rawHeaders.findIndex((name) => /^host$/i.test(name)) + 1] = mainHost;
          else if (token) request.rawHeaders.push("cf-access-jwt-assertion", token);
        }
        next();
      });
    },
  };
}

/** The page that signs the demo driver in waits until there is one, for whoever opens it before its address is printed. */
function holdSignIn(prepared: Promise<void>): Plugin {
  return {
    name: "hold-sign-in",
    enforce: "pre",
    configureServer({ middlewares }) {
      middlewares.use("/sandbox/sign-in", async (_request, _response, next) => {
        await prepared;
        next();
      });
    },
  };
}

/** A VAPID key pair: an uncompressed P-256 point and its private scalar. */
function makeVapidKeys() {
  const {
    x = "",
    y = "",
    d = "",
  } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    format: "jwk",
  });
  const point = [Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return { VAPID_PUBLIC_KEY: Buffer.concat(point).toString("base64url"), VAPID_PRIVATE_KEY: d };
}

function local(args: string[]): void {
  const run = spawnSync(wrangler, args, { cwd: root, encoding: "utf8", env: { ...process.env, CI: "1" } });
  if (run.status !== 0) fail(`wrangler ${args.join(" ")} failed:\n${run.stdout}\n${run.stderr}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
