import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "../../durable/runtime/config.ts";
import { SETTING_WORDS } from "../../durable/runtime/setting-words.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const PESOS = "3days=699,7days=999,14days=1799.50,30days=3399";

const read = (change: Record<string, string | undefined>) =>
  parseConfig({ DB: {}, DRIVER: {}, ASSETS: {}, ...DEMO_SETTINGS, ...change });

const KEY = btoa("k".repeat(32));
const OTHER_KEY = btoa("o".repeat(32));

/** Cases of settings that are refused: what is changed, and how the line about it begins. */
const CHAT = {
  CHATWOOT_URL: "https://chat.example",
  CHATWOOT_TOKEN: "website0",
  CHATWOOT_HMAC_KEY: "signing0",
};
const REFUSED: readonly [change: Record<string, string | undefined>, line: string][] = [
  [{ PUBLIC_URL: undefined }, "PUBLIC_URL is missing. It is the address"],
  [{ PUBLIC_URL: "jornada.example" }, "PUBLIC_URL is malformed. It is the address"],
  [{ PUBLIC_URL: "https://jornada.example/flex" }, "PUBLIC_URL is malformed. It is the address"],
  [{ PUBLIC_URL: "https://jornada.example/?from=mail" }, "PUBLIC_URL is malformed"],
  [{ PUBLIC_URL: "https://me:secret@jornada.example" }, "PUBLIC_URL is malformed"],
  [{ PRODUCT_NAME: "J".repeat(41) }, "PRODUCT_NAME is malformed"],
  [{ MASTER_KEYS: undefined }, "MASTER_KEYS is missing. It is the keys"],
  [{ MASTER_KEYS: " " }, "MASTER_KEYS is missing"],
  [{ MASTER_KEYS: KEY }, "MASTER_KEYS is malformed: key 1 has no id before a colon."],
  [{ MASTER_KEYS: `k1:${KEY},` }, "MASTER_KEYS is malformed: key 2 is empty."],
  [{ MASTER_KEYS: `my key:${KEY}` }, "MASTER_KEYS is malformed: the id of key 1 must be"],
  [{ MASTER_KEYS: "k1:no*base64" }, "MASTER_KEYS is malformed: the key k1 is not Base64."],
  [{ MASTER_KEYS: `k1:${btoa("short")}` }, "MASTER_KEYS is malformed: the key k1 has 5 bytes instead of 32."],
  [{ MASTER_KEYS: `k1:${KEY},k1:${OTHER_KEY}` }, "MASTER_KEYS is malformed: it has the id k1 twice."],
  [{ MASTER_KEYS: `k1:${KEY},k2:${KEY}` }, "MASTER_KEYS is malformed: the key k2 is the same as another."],
  [{ LOST_MASTER_KEYS: "k 1" }, "LOST_MASTER_KEYS is malformed"],
  [{ LOST_MASTER_KEYS: "test" }, "LOST_MASTER_KEYS contradicts MASTER_KEYS, which still has the key test."],
  [{ PLATFORM_URL: "" }, "PLATFORM_URL is missing"],
  [{ PLATFORM_URL: "not an address" }, "PLATFORM_URL is malformed"],
  [{ PLATFORM_REGION: "mars" }, "PLATFORM_REGION is malformed"],
  [{ POLL_FLOOR_MS: "soon" }, "POLL_FLOOR_MS is malformed"],
  [{ WATCHERS: "0" }, "WATCHERS is malformed"],
  [{ TICKERS: "-1" }, "TICKERS is malformed"],
  [{ DAYS_BACK_MINUTES: "5" }, "DAYS_BACK_MINUTES is malformed"],
  [{ OFFER_HORIZON_HOURS: "0" }, "OFFER_HORIZON_HOURS is malformed"],
  [{ GIVE_BACK_MINUTES: "soon" }, "GIVE_BACK_MINUTES is malformed"],
  [{ GIVE_BACK_URL: "the app" }, "GIVE_BACK_URL is malformed"],
  [{ IDENTITY: "google" }, "IDENTITY is malformed"],
  [{ IDENTITY: "" }, "IDENTITY is missing, and COGNITO_POOL_ID can't do without it."],
  [
    { IDENTITY: undefined, COGNITO_POOL_ID: "" },
    "IDENTITY is missing, and COGNITO_CLIENT_ID can't do without",
  ],
  [{ COGNITO_POOL_ID: undefined }, "COGNITO_POOL_ID is missing, and IDENTITY=cognito can't do without it."],
  [{ COGNITO_POOL_ID: "pool" }, "COGNITO_POOL_ID is malformed"],
  [{ COGNITO_CLIENT_ID: "" }, "COGNITO_CLIENT_ID is missing, and IDENTITY=cognito can't do without it."],
  [{ COGNITO_CLIENT_ID: "a client" }, "COGNITO_CLIENT_ID is malformed"],
  [{ TWILIO_URL: "ftp://sms.example" }, "TWILIO_URL is malformed"],
  [
    { TWILIO_ACCOUNT_SID: undefined },
    "TWILIO_ACCOUNT_SID is missing, and TWILIO_AUTH_TOKEN, TWILIO_FROM can't do without it.",
  ],
  [{ TWILIO_ACCOUNT_SID: "sandbox" }, "TWILIO_ACCOUNT_SID is malformed"],
  [{ TWILIO_AUTH_TOKEN: "" }, "TWILIO_AUTH_TOKEN is missing, and TWILIO_ACCOUNT_SID, TWILIO_FROM"],
  [{ TWILIO_AUTH_TOKEN: "two words" }, "TWILIO_AUTH_TOKEN is malformed"],
  [{ TWILIO_AUTH_TOKEN: "new,old,older" }, "TWILIO_AUTH_TOKEN is malformed"],
  [{ TWILIO_AUTH_TOKEN: "new," }, "TWILIO_AUTH_TOKEN is malformed"],
  [{ TWILIO_FROM: undefined }, "TWILIO_FROM is missing, and TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN"],
  [{ TWILIO_FROM: "Jornada" }, "TWILIO_FROM is malformed"],
  [{ TEXT_COUNTRIES: "us" }, "TEXT_COUNTRIES is malformed"],
  [{ TEXT_COUNTRIES: "US,XX" }, "TEXT_COUNTRIES is malformed"],
  [{ TEXTS_PER_NUMBER: "5" }, "TEXTS_PER_NUMBER is malformed"],
  [{ TEXTS_PER_ACCOUNT: "many/more" }, "TEXTS_PER_ACCOUNT is malformed"],
  [{ TEXTS_PER_NETWORK: "61/60" }, "TEXTS_PER_NETWORK is malformed"],
  [{ TEXTS_TO_NEW_NUMBERS: "-1/5" }, "TEXTS_TO_NEW_NUMBERS is malformed"],
  [{ TEXTS_TO_PROVED_NUMBERS: "1/2/3" }, "TEXTS_TO_PROVED_NUMBERS is malformed"],
  [{ TEXTS_TO_DRIVERS: "1.5/2" }, "TEXTS_TO_DRIVERS is malformed"],
  [{ DRAND_URL: "drand" }, "DRAND_URL is malformed"],
  [{ DRAND_PUBLIC_KEY: "83CF" }, "DRAND_PUBLIC_KEY is malformed"],
  [{ ...CHAT, CHATWOOT_URL: "chat" }, "CHATWOOT_URL is malformed"],
  [{ ...CHAT, CHATWOOT_TOKEN: "a b" }, "CHATWOOT_TOKEN is malformed"],
  [{ ...CHAT, CHATWOOT_HMAC_KEY: "a b" }, "CHATWOOT_HMAC_KEY is malformed"],
  [{ ...CHAT, CHATWOOT_ACCOUNT_ID: "one", CHATWOOT_API_TOKEN: "agent" }, "CHATWOOT_ACCOUNT_ID is malformed"],
  [{ ...CHAT, CHATWOOT_ACCOUNT_ID: "1", CHATWOOT_API_TOKEN: "a b" }, "CHATWOOT_API_TOKEN is malformed"],
  [{ ...CHAT, CHATWOOT_API_TOKEN: "agent" }, "CHATWOOT_ACCOUNT_ID is missing, and CHATWOOT_API_TOKEN can't"],
  [
    { CHATWOOT_ACCOUNT_ID: "1", CHATWOOT_API_TOKEN: "agent" },
    "CHATWOOT_URL is missing, and CHATWOOT_API_TOKEN",
  ],
  [{ CHAT_HIDDEN_PHONE: "nobody" }, "CHAT_HIDDEN_PHONE is malformed"],
  [{ RECORDING_SCRIPT_URL: "recorder" }, "RECORDING_SCRIPT_URL is malformed"],
  [{ RECORDING_TAG: "web" }, "RECORDING_SCRIPT_URL is missing, and RECORDING_TAG can't do without it."],
  [
    { RECORDING_ORIGINS: "https://*.recorder.example" },
    "RECORDING_SCRIPT_URL is missing, and RECORDING_ORIGINS can't do without it.",
  ],
  [{ RECORDING_SCRIPT_URL: "https://recorder.example", RECORDING_TAG: "a b" }, "RECORDING_TAG is malformed"],
  [
    { RECORDING_SCRIPT_URL: "https://recorder.example", RECORDING_ORIGINS: "https://a.example/path" },
    "RECORDING_ORIGINS is malformed",
  ],
  [{ TEXTS_PER_DRIVER: "0" }, "TEXTS_PER_DRIVER is malformed"],
  [{ TEXTS_TO_INVITED_NUMBERS: "9" }, "TEXTS_TO_INVITED_NUMBERS is malformed"],
  [{ TURNSTILE_URL: "turnstile" }, "TURNSTILE_URL is malformed"],
  [{ TURNSTILE_SITE_KEY: "1x0" }, "TURNSTILE_SECRET_KEY is missing, and TURNSTILE_SITE_KEY can't do"],
  [{ TURNSTILE_SECRET_KEY: "1x0" }, "TURNSTILE_SITE_KEY is missing, and TURNSTILE_SECRET_KEY can't do"],
  [{ TURNSTILE_SITE_KEY: "a key", TURNSTILE_SECRET_KEY: "1x0" }, "TURNSTILE_SITE_KEY is malformed"],
  [{ TURNSTILE_SECRET_KEY: "a key", TURNSTILE_SITE_KEY: "1x0" }, "TURNSTILE_SECRET_KEY is malformed"],
  [{ STRIPE_URL: "stripe" }, "STRIPE_URL is malformed"],
  [{ STRIPE_SECRET_KEY: undefined }, "STRIPE_SECRET_KEY is missing, and STRIPE_PUBLISHABLE_KEY can't do"],
  [{ STRIPE_SECRET_KEY: "pk_test_1" }, "STRIPE_SECRET_KEY is malformed"],
  [{ STRIPE_PUBLISHABLE_KEY: "" }, "STRIPE_PUBLISHABLE_KEY is missing, and STRIPE_SECRET_KEY can't do"],
  [{ STRIPE_PUBLISHABLE_KEY: "sk_test_1" }, "STRIPE_PUBLISHABLE_KEY is malformed"],
  [{ STRIPE_PUBLISHABLE_KEY: "pk_live_1" }, "STRIPE_PUBLISHABLE_KEY contradicts STRIPE_SECRET_KEY"],
  [{ STRIPE_WEBHOOK_SECRETS: "whsec_a,b" }, "STRIPE_WEBHOOK_SECRETS is malformed"],
  [{ STRIPE_WEBHOOK_SECRETS: "whsec_a;whsec_b" }, "STRIPE_WEBHOOK_SECRETS is malformed"],
  [{ BANK_FEE_RATE: "little" }, "BANK_FEE_RATE is malformed"],
  [{ BANK_FEE_RATE: "0.7" }, "BANK_FEE_RATE is malformed"],
  [{ CURRENCY: "JPY" }, "CURRENCY is malformed"],
  [{ CURRENCY: "KWD" }, "CURRENCY is malformed"],
  [{ CURRENCY: "usd" }, "CURRENCY is malformed"],
  [{ PAYMENT_METHODS: "card, Apple Pay" }, "PAYMENT_METHODS is malformed"],
  [{ PAYMENT_METHODS: "crad" }, "PAYMENT_METHODS is malformed"],
  [{ CURRENCY: "MXN" }, "LIST_PRICES is missing, and CURRENCY=MXN can't do without it"],
  [{ CURRENCY: "MXN", LIST_PRICES: "7days=123" }, "LIST_PRICES is malformed"],
  [{ STATEMENT_SUFFIX: "SERVICE<OF>DAYS" }, "STATEMENT_SUFFIX is malformed"],
  [{ SELLER_NAME: "N".repeat(201) }, "SELLER_NAME is malformed"],
  [{ SELLER_ADDRESS: "A".repeat(501) }, "SELLER_ADDRESS is malformed"],
  [{ SELLER_TAX_ID: "1".repeat(51) }, "SELLER_TAX_ID is malformed"],
  [{ TAX_NAME: "T".repeat(31), TAX_RATE: "0.1" }, "TAX_NAME is malformed"],
  [{ TAX_NAME: "VAT" }, "TAX_RATE is missing, and TAX_NAME can't do without it."],
  [{ TAX_RATE: "0.1" }, "TAX_NAME is missing, and TAX_RATE can't do without it."],
  [{ TAX_RATE: "some", TAX_NAME: "VAT" }, "TAX_RATE is malformed"],
  [{ PUSH_HOSTS: "not a host" }, "PUSH_HOSTS is malformed"],
  [{ STRIPE_SECRET_KEY: "sk_live_1" }, "STRIPE_PUBLISHABLE_KEY contradicts STRIPE_SECRET_KEY"],
  [{ SUPPORT_EMAIL: "help" }, "SUPPORT_EMAIL is malformed"],
  [{ SUPPORT_PHONE: "call us" }, "SUPPORT_PHONE is malformed"],
  [{ SUPPORT_WHATSAPP: "+15550100198,us" }, "SUPPORT_WHATSAPP is malformed"],
  [{ ANNOUNCEMENTS_URL: "news" }, "ANNOUNCEMENTS_URL is malformed"],
  [{ TERMS_DATE: "2027-02-30" }, "TERMS_DATE is malformed"],
  [{ ALERT_URL: "here", ALERT_FORM: "slack" }, "ALERT_URL is malformed"],
  [{ ALERT_FORM: "pigeon" }, "ALERT_FORM is malformed"],
  [
    { OPS_URL: "", RECORDING_SCRIPT_URL: "https://recorder.example" },
    "OPS_URL is missing, so recording is off: the console would share its origin",
  ],
  [{ ALERT_KEY: "two words" }, "ALERT_KEY is malformed"],
  [{ LEGACY_URL: "old site" }, "LEGACY_URL is malformed"],
  [{ MAINTENANCE: "tomorrow" }, "MAINTENANCE is malformed"],
  [
    { VAPID_PUBLIC_KEY: undefined },
    "VAPID_PUBLIC_KEY is missing, and VAPID_PRIVATE_KEY, VAPID_SUBJECT can't",
  ],
  [{ VAPID_PUBLIC_KEY: "AEb7A-dk-ou9-xGE5gIgG6zvezVzJMEO9l8DPJ" }, "VAPID_PUBLIC_KEY is malformed"],
  [{ VAPID_PRIVATE_KEY: "" }, "VAPID_PRIVATE_KEY is missing, and VAPID_PUBLIC_KEY, VAPID_SUBJECT can't"],
  [{ VAPID_PRIVATE_KEY: "not+Base64url+not+Base64url+not+Base64url+n" }, "VAPID_PRIVATE_KEY is malformed"],
  [{ VAPID_SUBJECT: undefined }, "VAPID_SUBJECT is missing, and VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY can't"],
  [{ VAPID_SUBJECT: "somebody" }, "VAPID_SUBJECT is malformed"],
  [{ ACCESS_TEAM_DOMAIN: "https://team.example" }, "ACCESS_TEAM_DOMAIN is malformed"],
  [{ ACCESS_TEAM_DOMAIN: "" }, "ACCESS_TEAM_DOMAIN is missing, and ACCESS_AUD can't"],
  [{ ACCESS_AUD: "" }, "ACCESS_AUD is missing, and ACCESS_TEAM_DOMAIN can't"],
  [{ ACCESS_AUD: "a b" }, "ACCESS_AUD is malformed"],
  [{ OPS_OWNERS: "" }, "OPS_OWNERS is missing, and ACCESS_TEAM_DOMAIN can't"],
  [
    { ACCESS_TEAM_DOMAIN: "", ACCESS_AUD: "" },
    "ACCESS_TEAM_DOMAIN is missing, and OPS_OWNERS can't do without it",
  ],
  [{ OPS_OWNERS: "owner" }, "OPS_OWNERS is malformed"],
  [{ OPS_SUPPORT: "Owner@example.com" }, "OPS_SUPPORT contradicts OPS_OWNERS"],
  [{ OPS_SUPPORT_LIMIT: "50.5" }, "OPS_SUPPORT_LIMIT is malformed"],
  [{ OPS_SUPPORT_SUM: "all" }, "OPS_SUPPORT_SUM is malformed"],
  [{ OPS_URL: "https://ops.example/console" }, "OPS_URL is malformed"],
  [{ OPS_URL: "https://ops.example/?as=owner" }, "OPS_URL is malformed"],
  [
    { OPS_URL: "http://localhost:5173/" },
    "OPS_URL contradicts PUBLIC_URL, which is on the same host: drivers",
  ],
  [{ OPS_EXPORTS: "many" }, "OPS_EXPORTS is malformed"],
  [{ OPS_LOG_TOKEN: "short" }, "OPS_LOG_TOKEN is malformed"],
  [{ HSTS: "everything" }, "HSTS is malformed"],
  [{ SECURITY_CONTACT: "us" }, "SECURITY_CONTACT is malformed"],
  [{ OPS_SUPPORT_LOOKS: "1.5" }, "OPS_SUPPORT_LOOKS is malformed"],
  [{ OPS_SUPPORT_NUMBERS: "five" }, "OPS_SUPPORT_NUMBERS is malformed"],
  [{ OPS_SUPPORT_ACCESS: "-1" }, "OPS_SUPPORT_ACCESS is malformed"],
];

/** What is said of the settings, a line for each that is wrong. */
function refusalOf(change: Record<string, string | undefined>): string {
  try {
    return read(change)
      .problems.map(({ problem }) => problem)
      .join("\n");
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message : "";
  }
}

describe("the settings", () => {
  it.each(REFUSED)("with %j are refused: %s", (change, line) => {
    const message = refusalOf(change);
    expect(message.split("\n")).toHaveLength(1);
    expect(message.startsWith(line), message).toBe(true);
  });

  it("never show a refused value", () => {
    for (const [change] of REFUSED) {
      const message = refusalOf(change);
      for (const value of Object.values(change)) {
        for (const part of value?.split(/[,:]/) ?? []) {
          // Ids, and texts so short that they stand in other words.
          if (part.length > 5) expect(message).not.toContain(part);
        }
      }
    }
  });

  it.each([
    ["TWILIO_AUTH_TOKEN", '"secret"'],
    ["ALERT_KEY", "'secret'"],
    ["OPS_OWNERS", '"owner@example.com,other@example.com"'],
    ["SUPPORT_EMAIL", ' "help@example.com"\n'],
    ["STRIPE_SECRET_KEY", '"sk_test_sandbox"'],
    ["PUBLIC_URL", '"https://jornada.example"'],
  ])("say of %s that quotes are around it", (name, value) => {
    expect(refusalOf({ [name]: value })).toMatch(
      new RegExp(`^${name} has quotes around it, which would be part of it\\. It is [^\n]+$`),
    );
  });

  it("take quotes in names as they are meant", () => {
    expect(read({ SELLER_NAME: '"La Furgo"', PRODUCT_NAME: '"Turno"' })).toMatchObject({
      productName: '"Turno"',
      seller: { name: '"La Furgo"' },
    });
  });

  it("may be numbers and switches, as wrangler.toml has them", () => {
    const { engine, tickers, bankFeeMillionths, texts, watchers } = parseConfig({
      ...DEMO_SETTINGS,
      POLL_FLOOR_MS: 500,
      TICKERS: 0,
      WATCHERS: 2,
      BANK_FEE_RATE: 0.01,
      TEXTS_PER_DRIVER: 30,
    });
    expect([engine.pollFloorMs, tickers, watchers, bankFeeMillionths, texts.perDriver]).toEqual([
      500, 0, 2, 10_000, 30,
    ]);
    const { maintenance, problems } = parseConfig({ ...DEMO_SETTINGS, MAINTENANCE: true, TICKERS: -1 });
    expect(maintenance).toEqual({ until: null });
    expect(problems.map(({ name }) => name)).toEqual(["TICKERS", "MAINTENANCE"]);
  });

  it("have a row above for each of them", () => {
    const named = new Set(REFUSED.map(([, line]) => line.split(" ")[0]));
    expect(Object.keys(SETTING_WORDS).filter((name) => !named.has(name))).toEqual([]);
  });

  it("name every setting that is refused, a line each", () => {
    const lines = refusalOf({ PUBLIC_URL: "", CURRENCY: "euro", MASTER_KEYS: "k1" }).split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["PUBLIC_URL", "MASTER_KEYS", "CURRENCY"]);
  });

  it("say nothing of prices in a currency that can't be read", () => {
    const lines = refusalOf({
      CURRENCY: "euro",
      LIST_PRICES: "3days=0.10,7days=0.20,14days=0.30,30days=0.40",
    }).split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["CURRENCY"]);
  });

  it("send no texts if none of the three gateway settings is set", () => {
    const none = { TWILIO_ACCOUNT_SID: "", TWILIO_AUTH_TOKEN: undefined, TWILIO_FROM: "" };
    expect(read(none).sms).toBeNull();
  });

  it("send texts by the first of two tokens, and take what either signed", () => {
    expect(read({ TWILIO_AUTH_TOKEN: "new, old" }).sms).toMatchObject({
      authToken: "new",
      signingTokens: ["new", "old"],
    });
  });

  it.each(["+15550100100", "55501", `MG${"0a".repeat(16)}`])("send texts from %s", (from) => {
    expect(read({ TWILIO_FROM: from }).sms?.from).toBe(from);
  });

  it("push to hosts of any depth, in small letters", () => {
    const hosts = read({ PUSH_HOSTS: "push.example, Web.Push.Apple.Example" }).pushHosts;
    expect(hosts).toEqual(["push.example", "web.push.apple.example"]);
  });

  it("have no browser notifications if none of the three VAPID settings is set", () => {
    const none = { VAPID_PUBLIC_KEY: undefined, VAPID_PRIVATE_KEY: undefined, VAPID_SUBJECT: "" };
    expect(read(none).vapid).toBeNull();
  });

  it("require no Cognito pool with the embedded pool", () => {
    const { identity } = read({
      IDENTITY: "embedded",
      COGNITO_POOL_ID: undefined,
      COGNITO_CLIENT_ID: undefined,
    });
    expect(identity).toEqual({
      kind: "embedded",
      endpoint: "/identity/",
      issuer: "http://localhost:5173/identity/local_Jornada1",
      poolId: "local_Jornada1",
      clientId: "jornadaweb",
    });
  });

  it("have defaults for everything optional", () => {
    const { productName, platform, engine, currency, paymentMethods, seller, tax } = read({});
    expect({ productName, region: platform.region, engine, currency, paymentMethods, seller, tax }).toEqual({
      productName: "Jornada",
      region: "enam",
      engine: { pollFloorMs: 1000, offerHorizonMs: 86_400_000, giveBackMs: 45 * 60_000, currency: "USD" },
      currency: "USD",
      paymentMethods: ["card", "link"],
      seller: { name: "Jornada", address: null, taxId: null },
      tax: null,
    });
  });

  it("have live keys together, and a tax with its name", () => {
    const live = { STRIPE_SECRET_KEY: "rk_live_a", STRIPE_PUBLISHABLE_KEY: "pk_live_b" };
    expect(read(live).cards?.secretKey).toBe("rk_live_a");
    expect(read({ TAX_NAME: "IVA", TAX_RATE: "0.16", CURRENCY: "MXN", LIST_PRICES: PESOS })).toMatchObject({
      tax: { name: "IVA", millionths: 160_000 },
      currency: "MXN",
    });
  });

  it("have support's limits in cents, also where an amount has some", () => {
    const console = {
      ACCESS_TEAM_DOMAIN: "team.example.com",
      ACCESS_AUD: "aud",
      OPS_OWNERS: "a@example.com",
    };
    expect(read({ ...console, OPS_SUPPORT_LIMIT: "50.25", OPS_SUPPORT_SUM: "500" }).operators).toMatchObject({
      supportLimitCents: 5025,
      supportSumCents: 50_000,
    });
  });

  it.each(["webhook", "pagerduty"])("with alerts by %s want the key of it", (form) => {
    const alerts = { ALERT_URL: "https://alerts.example", ALERT_FORM: form };
    expect(refusalOf(alerts)).toContain(`ALERT_KEY is missing, and ALERT_FORM=${form} can't do without it`);
    expect(refusalOf({ ...alerts, ALERT_FORM: "slack" })).toBe("");
    expect(refusalOf({ ...alerts, ALERT_KEY: "key" })).toBe("");
  });

  it("limit texts by the hour and by the day", () => {
    expect(read({ TEXTS_PER_NUMBER: "20 / 600" }).texts.limits.perNumber).toEqual({
      perHour: 20,
      perDay: 600,
    });
    expect(refusalOf({ TEXTS_PER_NUMBER: "20/600/700" })).toContain("TEXTS_PER_NUMBER is malformed");
    expect(refusalOf({ TEXTS_PER_NUMBER: "20/60000000" })).toContain("TEXTS_PER_NUMBER is malformed");
  });

  it.each(["https://recorder.example", "http://localhost:8123", "https://*.replay-1.example.com:8443"])(
    "let the recorder send to %s",
    (origin) => {
      const recording = { RECORDING_SCRIPT_URL: "https://recorder.example", RECORDING_ORIGINS: origin };
      expect(read({ OPS_URL: "https://ops.example", ...recording }).recording?.origins).toContain(origin);
    },
  );

  it("mark recordings by a tag", () => {
    const recording = { RECORDING_SCRIPT_URL: "https://recorder.example", RECORDING_TAG: "web-1.0_a" };
    expect(refusalOf({ OPS_URL: "https://ops.example", ...recording })).toBe("");
  });

  it("enable cards only with both keys, and parse the fee rate", () => {
    expect(read({ STRIPE_WEBHOOK_SECRETS: "whsec_a, whsec_b" })).toMatchObject({
      cards: {
        url: "http://stripe.localhost",
        secretKey: "sk_test_sandbox",
        webhookSecrets: ["whsec_a", "whsec_b"],
      },
      bankFeeMillionths: 7000,
    });
    expect(read({ STRIPE_SECRET_KEY: undefined, STRIPE_PUBLISHABLE_KEY: "" }).cards).toBeNull();
    expect(read({ BANK_FEE_RATE: "0.029" }).bankFeeMillionths).toBe(29_000);
  });
});
