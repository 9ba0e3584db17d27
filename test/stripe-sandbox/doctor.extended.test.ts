import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { HANDLED_EVENTS } from "../../db/shapes/money/stripe-words.ts";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import {
  describeFindings,
  examine,
  runProgram,
  examineSettings,
  findPlain,
  findUnknown,
  gatherSettings,
} from "../../worker/operators/doctor/consult-doctor.ts";
import type { Finding, Means } from "../../worker/operators/doctor/means.ts";
import { openSandboxHarness, type SandboxHarness } from "../platform/sandbox-harness.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DEPLOYMENT = "https://drivers.example.com";
const SETTINGS: Record<string, string> = {
  ...DEMO_SETTINGS,
  IDENTITY: "embedded",
  PUBLIC_URL: DEPLOYMENT,
  OPS_URL: "https://ops.drivers.example.com",
  PLATFORM_URL: "http://platform.localhost",
  CHATWOOT_URL: "http://chat.localhost/sandbox/chatwoot",
  CHATWOOT_TOKEN: "sandbox",
  CHATWOOT_HMAC_KEY: "sandbox-chat-key",
  CHATWOOT_ACCOUNT_ID: "1",
  CHATWOOT_API_TOKEN: "sandbox-agent",
  TURNSTILE_URL: "http://turnstile.localhost/sandbox/turnstile/v0",
  TURNSTILE_SITE_KEY: "site",
  TURNSTILE_SECRET_KEY: "sandbox-widget",
};
/** The console at drivers' address, where there is no chat. */
const SHARED = {
  OPS_URL: "",
  CHATWOOT_URL: "",
  CHATWOOT_TOKEN: "",
  CHATWOOT_HMAC_KEY: "",
  CHATWOOT_ACCOUNT_ID: "",
  CHATWOOT_API_TOKEN: "",
};
const SERVICES = ["platform", "sms", "stripe", "access", "chat", "turnstile"];
const MIGRATIONS = readdirSync(fileURLToPath(new URL("../../db/migrations", import.meta.url)))
  .filter((name) => name.endsWith(".sql"))
  .map((name) => ({ name }));

let harness: SandboxHarness;
beforeAll(async () => {
  harness = await openSandboxHarness();
});
afterAll(() => harness.server.stop());
beforeEach(async () => {
  await harness.clear();
  await harness.control("POST", "/sandbox/sms/endpoint", { url: `${DEPLOYMENT}/webhooks/texts/incoming` });
  await harness.control("POST", "/sandbox/stripe/endpoint", {
    url: `${DEPLOYMENT}/webhooks/stripe`,
    events: [...HANDLED_EVENTS],
  });
});

type World = {
  settings?: Record<string, string>;
  /** Hosts that refuse a connection, and those that never answer. */
  down?: readonly string[];
  silent?: readonly string[];
  /** The path of a call that the key has no right to. */
  forbidden?: string;
  /** The answers of the deployment, by path. */
  deployment?: Record<string, () => Response>;
  wrangler?: { code: number | null; output: string };
  platform?: { code: number | null; output: string };
  hasToken?: boolean;
  isBefore?: boolean;
};

const WELL = {
  "/status/health": () =>
    Response.json({
      ok: true,
      version: "1.2.3",
      reasons: {},
      lastCron: { watch: NOW - MINUTE_MS, signing_keys: NOW - 50 * MINUTE_MS },
    }),
  "/ops": () =>
    new Response(null, {
      status: 302,
      headers: { location: "https://access.localhost/cdn-cgi/access/login" },
    }),
  "/ops/v1/cities": () => Response.json({ cities: [] }),
  "/webhooks/stripe": () => Response.json({ received: true }),
};
const MIGRATED = { code: 0, output: JSON.stringify([{ results: MIGRATIONS, success: true }], null, 2) };
const CONFORMS = { code: 0, output: "kept    refusals: an unknown token is answered 401.\n1 kept" };

/** The doctor's findings in a world. */
async function consult({
  settings = {},
  down = [],
  silent = [],
  forbidden,
  deployment = {},
  wrangler = MIGRATED,
  platform = CONFORMS,
  hasToken = true,
  isBefore = false,
}: World = {}): Promise<Finding[]> {
  const given = { ...SETTINGS, ...settings };
  const { config, findings } = examineSettings(given);
  if (config === null) return findings;
  const answers: Record<string, () => Response> = { ...WELL, ...deployment };
  const means: Means = {
    config,
    access: hasToken ? { url: DEPLOYMENT, headers: { "cf-access-client-secret": "service-secret" } } : null,
    isBefore,
    platformEmail: null,
    send: async (request) => {
      const { host, pathname } = new URL(request.url);
      const name = host.split(".")[0] ?? "";
      if (down.includes(name)) throw new TypeError(`fetch failed: ${SETTINGS["STRIPE_SECRET_KEY"]}`);
      if (silent.includes(name)) return new Promise(() => {});
      if (pathname === forbidden) return new Response(null, { status: 403 });
      if (host.endsWith("drivers.example.com"))
        return answers[pathname]?.() ?? new Response(null, { status: 404 });
      return ask(request, silent.length > 0);
    },
    run: async ([program = "", tool]) =>
      program.includes("wrangler") && tool === "d1" ? wrangler : platform,
    now: () => NOW,
    limitMs: 5_000,
  };
  const found = [...findings, ...(await examine(silent.length > 0 ? { ...means, limitMs: 300 } : means))];
  const told = describeFindings(found).lines.join("\n");
  for (const secret of Object.keys(given).filter((name) => /TOKEN|SECRET|_KEYS?$/.test(name))) {
    const value = given[secret] ?? "";
    // The sandbox's tokens are plain words; those that could be mistaken for one are looked for whole.
    if (value.length > 8 && !/PUBLI/.test(secret))
      expect([secret, told.includes(value)]).toEqual([secret, false]);
  }
  expect(told).not.toContain("service-secret");
  return found;
}

/** The sandbox's last answers, by call. A world with a silence has a short limit, which none of the others may miss. */
const kept = new Map<string, Response>();

async function ask(request: Request, isHurried: boolean): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = await request.clone().text();
  const call = [request.method, pathname, search, request.headers.get("authorization"), body].join(" ");
  const known = isHurried ? kept.get(call) : undefined;
  const answer = known ?? (await fetch(new Request(`${harness.server.url}${pathname}${search}`, request)));
  kept.set(call, answer.clone());
  return answer.clone();
}

const wrongOf = (found: readonly Finding[], about?: string) =>
  found
    .filter((one) => one.verdict === "wrong" && (about === undefined || one.about === about))
    .map(({ words }) => words);

it("finds nothing wrong where each service is right, and says so of each", async () => {
  const found = await consult();
  expect(wrongOf(found)).toEqual([]);
  expect(found.filter(({ verdict }) => verdict === "unasked")).toEqual([]);
  expect(new Set(found.map(({ about }) => about))).toEqual(
    new Set([
      "settings",
      "database",
      "platform",
      "texts",
      "registering",
      "cards",
      "console",
      "notifications",
      "chat",
      "deployment",
      "cron",
    ]),
  );
  expect(describeFindings(found)).toMatchObject({ isWell: true });
});

it.each<[string, string, World, RegExp]>([
  [
    "a text gateway's token",
    "texts",
    { settings: { TWILIO_AUTH_TOKEN: "stolen-and-replaced" } },
    /TWILIO_AUTH_TOKEN/,
  ],
  [
    "a number that isn't the account's",
    "texts",
    { settings: { TWILIO_FROM: "+15550100001" } },
    /number in TWILIO_FROM/,
  ],
  ["a secret key", "cards", { settings: { STRIPE_SECRET_KEY: "sk_test_another" } }, /STRIPE_SECRET_KEY/],
  ["a restricted key without events", "cards", { forbidden: "/v1/events" }, /may not read events/],
  [
    "a publishable key",
    "cards",
    { settings: { STRIPE_PUBLISHABLE_KEY: "pk_test_another" } },
    /STRIPE_PUBLISHABLE_KEY/,
  ],
  [
    "a webhook's secret",
    "cards",
    { deployment: { "/webhooks/stripe": () => new Response("{}", { status: 400 }) } },
    /STRIPE_WEBHOOK_SECRETS/,
  ],
  ["a chat's token", "chat", { settings: { CHATWOOT_API_TOKEN: "another-agent" } }, /CHATWOOT_API_TOKEN/],
  ["a chat's label", "chat", { settings: { PRODUCT_NAME: "Turno" } }, /label turno/],
  [
    "a challenge's key",
    "registering",
    { settings: { TURNSTILE_SECRET_KEY: "sandbox-unknown" } },
    /TURNSTILE_SECRET_KEY/,
  ],
  [
    "a key of notifications",
    "notifications",
    { settings: { VAPID_PRIVATE_KEY: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8" } },
    /no pair/,
  ],
  [
    "a contact of notifications",
    "notifications",
    { settings: { VAPID_SUBJECT: "mailto:operator@localhost" } },
    /VAPID_SUBJECT/,
  ],
  [
    "an audience",
    "console",
    { deployment: { "/ops/v1/cities": () => new Response(null, { status: 401 }) } },
    /ACCESS_AUD/,
  ],
  [
    "an operator",
    "console",
    { deployment: { "/ops/v1/cities": () => new Response(null, { status: 403 }) } },
    /OPS_OWNERS/,
  ],
  [
    "a door without Access",
    "console",
    { deployment: { "/ops": () => new Response(null, { status: 401 }) } },
    /the host ops\.drivers\.example\.com without a path/,
  ],
  [
    "a door without Access at drivers' address",
    "console",
    { settings: SHARED, deployment: { "/ops": () => new Response(null, { status: 401 }) } },
    /this domain and the path ops\*/,
  ],
  [
    "an open door",
    "console",
    { deployment: { "/ops": () => new Response("the console") } },
    /without a token/,
  ],
])("names %s that is wrong, and what to do", async (_, about, world, words) => {
  const wrong = wrongOf(await consult(world));
  expect(wrong).toEqual([expect.stringMatching(words)]);
  expect(wrongOf(await consult(world), about)).toEqual(wrong);
});

it.each(SERVICES)("says within its limit that %s is down, or never answers", async (service) => {
  const about: Record<string, string> = {
    platform: "platform",
    sms: "texts",
    stripe: "cards",
    access: "console",
    chat: "chat",
    turnstile: "registering",
  };
  // The conform program takes silence for a refusal that is not the contract's.
  const refusal =
    "harms  refusals: an unknown token is answered unreachable: nobody sees that a link has ended.";
  const fallen = service === "platform" ? { platform: { code: 1, output: refusal } } : {};
  const down = await consult({ down: [service], ...fallen });
  expect(wrongOf(down)).toEqual(wrongOf(down, about[service] ?? ""));
  expect(wrongOf(down)).toEqual([expect.stringMatching(/can't be reached|gave no answer/)]);
  const silent = await consult({ silent: [service], ...fallen });
  expect(wrongOf(silent)).toEqual([expect.stringMatching(/gave no answer in/)]);
});

it("reads what wrangler says of the database, whatever it printed before", async () => {
  const before = "⛅️ wrangler 4.1.0 [update available]\nusing {CLOUDFLARE_API_TOKEN}\n";
  const refused = (text: string) => ({
    code: 1,
    output: `${before}${JSON.stringify({ error: { text } }, null, 2)}`,
  });
  const told = async (wrangler: World["wrangler"]) => {
    const found = await consult(wrangler ? { wrangler } : {});
    return found.filter(({ about }) => about === "database").map(({ words }) => words);
  };
  const answered = (...names: string[]) => ({
    code: 0,
    output: `${before}${JSON.stringify([{ results: names.map((name) => ({ name })) }], null, 2)}`,
  });
  const all = MIGRATIONS.map(({ name }) => name);
  expect(await told(answered(...all))).toEqual([`all ${all.length} migrations are applied`]);
  expect(await told(answered(...all.slice(1)))).toEqual([
    `1 of ${all.length} migrations are missing, ${all.toSorted()[0]} first: npm run deploy applies them before it deploys`,
  ]);
  expect(await told(answered(...all, "9999_later.sql"))).toEqual([
    "it has 1 migrations that this folder lacks: check out the release that is deployed",
  ]);
  expect(await told(refused("no such table: d1_migrations: SQLITE_ERROR"))).toEqual([
    "it is empty: npm run deploy applies the migrations",
  ]);
  expect(await told(refused("Couldn't find a D1 DB with the name 'jornada'"))).toEqual([
    expect.stringMatching(/no such database/),
  ]);
  expect(await told(refused("Authentication error [code: 10000]"))).toEqual([
    expect.stringMatching(/Cloudflare doesn't know you/),
  ]);
  expect(await told({ code: null, output: before })).toEqual([expect.stringMatching(/no answer in 60 s/)]);
  expect(await told({ code: 1, output: before })).toEqual([
    "it can't be asked: npx wrangler d1 info jornada says why",
  ]);
});

it("follows a campaign, a number's address and a webhook's events", async () => {
  await harness.control("POST", "/sandbox/sms/campaign", { status: "IN_PROGRESS" });
  expect(wrongOf(await consult())).toEqual([expect.stringContaining("the campaign is in progress")]);
  const service = { TWILIO_FROM: `MG${"0".repeat(32)}` };
  expect(wrongOf(await consult({ settings: service }), "texts")).toEqual([
    expect.stringContaining("the campaign is in progress"),
  ]);
  await harness.control("POST", "/sandbox/sms/campaign", { status: null });
  expect(wrongOf(await consult({ settings: service }), "texts")).toEqual([
    expect.stringContaining("there is no campaign"),
  ]);
  await harness.control("POST", "/sandbox/sms/endpoint", { url: "https://former.example.com" });
  await harness.control("POST", "/sandbox/stripe/endpoint", {
    url: `${DEPLOYMENT}/webhooks/stripe`,
    events: [...HANDLED_EVENTS].filter((event) => event !== "charge.refunded"),
  });
  const found = await consult();
  expect(wrongOf(found, "texts")).toContainEqual(
    expect.stringContaining(`POST ${DEPLOYMENT}/webhooks/texts/incoming`),
  );
  expect(wrongOf(found, "cards")).toEqual([expect.stringContaining("lacks charge.refunded")]);
  await harness.control("POST", "/sandbox/stripe/endpoint", { url: "https://former.example.com" });
  expect(wrongOf(await consult(), "cards")).toEqual([expect.stringContaining("no webhook endpoint")]);
});

it("looks for texts from phones where the number's messaging service posts them, which is before the number itself", async () => {
  const wanted = `${DEPLOYMENT}/webhooks/texts/incoming`;
  const service = (inboundUrl: string | null, usesNumber = false) =>
    harness.control("POST", "/sandbox/sms/service", { inboundUrl, usesNumber });
  const texts = async (from?: string) =>
    wrongOf(await consult(from === undefined ? {} : { settings: { TWILIO_FROM: from } }), "texts");
  await service(null);
  expect(await texts()).toEqual([
    expect.stringMatching(/POST .*\/webhooks\/texts\/incoming .* messaging service/),
  ]);
  await harness.control("POST", "/sandbox/sms/endpoint", { url: null });
  await service(wanted);
  expect(await texts()).toEqual([]);
  await service(wanted, true);
  expect(await texts()).toEqual([expect.stringContaining(`POST ${wanted}`)]);
  const found = await consult({ settings: { TWILIO_FROM: `MG${"0".repeat(32)}` } });
  expect(found.filter(({ about, verdict }) => about === "texts" && verdict === "unasked")).toEqual([
    { about: "texts", verdict: "unasked", words: expect.stringContaining(`POST ${wanted}`) },
  ]);
});

const failed = (text: string) => ({ code: 1, output: `\n${JSON.stringify({ error: { text } }, null, 2)}` });
it.each<[string, World["wrangler"], RegExp]>([
  ["empty", failed("no such table: d1_migrations: SQLITE_ERROR"), /npm run deploy/],
  [
    "a migration behind",
    { code: 0, output: JSON.stringify([{ results: MIGRATIONS.slice(0, -1), success: true }], null, 2) },
    /1 of \d+ migrations are missing/,
  ],
  [
    "ahead of this folder",
    { code: 0, output: JSON.stringify([{ results: [...MIGRATIONS, { name: "9999_later.sql" }] }], null, 2) },
    /1 migrations that this folder lacks/,
  ],
  [
    "of an account that nobody signed in to",
    failed("it's necessary to set a CLOUDFLARE_API_TOKEN"),
    /wrangler login/,
  ],
  ["not there", failed("Couldn't find a D1 DB with the name or binding 'jornada'"), /d1 create/],
  ["silent", { code: null, output: "" }, /no answer in 60 s/],
])("says of a database that is %s what to do", async (_, wrangler, words) => {
  const found = await consult(wrangler ? { wrangler } : {});
  expect(wrongOf(found)).toEqual([expect.stringMatching(words)]);
});

it("names what harms drivers at the platform, with the conform program's own words", async () => {
  const conform = "test/platform/conform/main.ts";
  const kept = await runProgram([conform, "--url", harness.server.url], 60_000);
  expect(kept).toMatchObject({ code: 0, output: expect.stringMatching(/^kept/) });
  const other = await runProgram([conform, "--url", "http://127.0.0.1:9"], 60_000);
  expect(wrongOf(await consult({ platform: other }), "platform")).toContainEqual(
    expect.stringContaining("nobody sees that a link has ended"),
  );
  expect(wrongOf(await consult({ platform: kept }))).toEqual([]);
});

it("tells when the crons last ran, and what is wrong with the deployment", async () => {
  const health = (more: object) => ({
    deployment: { "/status/health": () => Response.json({ ok: true, version: "1.2.3", ...more }) },
  });
  expect(wrongOf(await consult(health({ lastCron: {} })))).toEqual([
    expect.stringContaining("the minute's cron never ran"),
    expect.stringContaining("the hour's cron never ran"),
  ]);
  const late = { watch: NOW - 7 * MINUTE_MS, signing_keys: NOW };
  expect(
    wrongOf(await consult(health({ lastCron: late, reasons: { "texts.gateway": "credentials" } }))),
  ).toEqual([
    expect.stringContaining("texts.gateway: credentials"),
    expect.stringContaining("the minute's cron last ran 7 minutes ago"),
  ]);
  const gone = { deployment: { "/status/health": () => new Response("<h1>522</h1>", { status: 522 }) } };
  expect(wrongOf(await consult(gone))).toEqual([expect.stringContaining("answered with 522")]);
});

it("asks no deployment that is still to come, and nothing for which a secret is not at hand", async () => {
  const found = await consult({
    isBefore: true,
    hasToken: false,
    deployment: { "/status/health": () => new Response(null, { status: 530 }) },
    settings: { TWILIO_AUTH_TOKEN: "", MASTER_KEYS: "", STRIPE_SECRET_KEY: "" },
  });
  expect(wrongOf(found)).toEqual([]);
  const unasked = found.filter(({ verdict }) => verdict === "unasked").map(({ about }) => about);
  expect(unasked).toEqual(expect.arrayContaining(["settings", "texts", "cards", "deployment", "cron"]));
});

it("names malformed settings without their values", async () => {
  const found = await consult({ settings: { SUPPORT_PHONE: "call-me-maybe", POLL_FLOOR_MS: "soon" } });
  const told = wrongOf(found, "settings");
  expect(told).toEqual([expect.stringContaining("POLL_FLOOR_MS"), expect.stringContaining("SUPPORT_PHONE")]);
  expect(told.join()).not.toMatch(/call-me-maybe|soon/);
  expect(wrongOf(await consult({ settings: { PUBLIC_URL: "" } }))).toEqual([
    expect.stringContaining("PUBLIC_URL is missing"),
  ]);
});

it("takes numbers of wrangler.toml as the deployment does, and names what is no setting", () => {
  const folder = mkdtempSync(`${tmpdir()}/doctor-`);
  const wranglerFile = `${folder}/wrangler.toml`;
  const secretsFile = `${folder}/secrets.env`;
  writeFileSync(
    wranglerFile,
    `name = "jornada"\ncompatibility_date = "2026-10-01"\n[vars]\nPOLL_FLOOR_MS = 500\nOPS_OWNER = "a@example.com"\n`,
  );
  writeFileSync(secretsFile, "STRIPE_WEBHOOK_SECRET=whsec_1\n");
  const settings = gatherSettings({ wranglerFile, secretsFile, env: { PUBLIC_URL: DEPLOYMENT, HOME: "/" } });
  const { config, findings } = examineSettings({ ...DEMO_SETTINGS, ...settings });
  expect(config?.engine.pollFloorMs).toBe(500);
  expect(wrongOf(findings)).toEqual([]);
  expect(wrongOf(findUnknown(Object.keys(settings)))).toEqual([
    "OPS_OWNER is no setting, and does nothing: take it out, or did you mean OPS_OWNERS?",
    "STRIPE_WEBHOOK_SECRET is no setting, and does nothing: take it out, or did you mean STRIPE_WEBHOOK_SECRETS?",
  ]);
});

it("names addresses without encryption, but for those on this machine", () => {
  const found = findPlain({
    PUBLIC_URL: "http://drivers.example.com",
    PLATFORM_URL: "http://platform.example.com",
    STRIPE_URL: "https://api.stripe.com",
    TWILIO_URL: "http://sms.localhost",
    OPS_URL: "http://127.0.0.1:8787",
    ALERT_URL: "nowhere",
  });
  expect(wrongOf(found)).toEqual([
    "PUBLIC_URL begins with http, without encryption: put https",
    "PLATFORM_URL begins with http, without encryption: put https",
  ]);
});

it("runs as operators run it, and ends with 1 where something is wrong", async () => {
  const program = fileURLToPath(new URL("../../worker/operators/main.ts", import.meta.url));
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PUBLIC_URL: "http://127.0.0.1:9",
    PLATFORM_URL: harness.server.url,
    TWILIO_URL: harness.server.url,
    TWILIO_ACCOUNT_SID: "ACsandbox",
    TWILIO_FROM: "+15550100000",
    TWILIO_AUTH_TOKEN: "a-wrong-token",
  };
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    const args = [program, "doctor", "--before", "--secrets-file", "none.env"];
    execFile(process.execPath, args, { env, timeout: 100_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
  });
  expect(code).toBe(1);
  expect(output).toMatch(/^wrong +texts +Twilio doesn't know TWILIO_ACCOUNT_SID with TWILIO_AUTH_TOKEN/m);
  expect(output).toMatch(/^right +platform +it keeps its contract/m);
  expect(output).toMatch(/^wrong +database /m);
  expect(output).not.toContain("a-wrong-token");
});

it("takes a fault of its own for no wrong setting", () => {
  const broken = new Proxy(SETTINGS, {
    get(settings, name) {
      if (name === "PUBLIC_URL") throw new TypeError("broken");
      return Reflect.get(settings, name) as unknown;
    },
  });
  expect(() => examineSettings(broken)).toThrow(new TypeError("broken"));
});
