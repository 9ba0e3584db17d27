import { QUICKNET } from "../../db/shapes/money/beacon.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { cognitoPool, embeddedPool, NO_POOL, checkTogether, type GivenSettings } from "./setting-checks.ts";
import { PART_OF, SETTING_PARTS, type SettingPart, type SettingProblem } from "./setting-groups.ts";
import { INVALID, settingShapes } from "./setting-shapes.ts";
import { SETTING_WORDS, type SettingName } from "./setting-words.ts";

/** The kind of sender: a phone number, a short code, or a messaging service, which chooses one of several. */
function senderOf(from: string): "number" | "short_code" | "service" {
  if (/^MG/i.test(from)) return "service";
  return from.startsWith("+") ? "number" : "short_code";
}

/** The token that texts are sent by, and those that what comes in may be signed with: two while one replaces the other. */
function tokensOf(given: string): { authToken: string; signingTokens: readonly string[] } {
  const signingTokens = given.split(",").map((token) => token.trim());
  return { authToken: signingTokens[0] ?? given, signingTokens };
}

const SETTING_NAMES = Object.keys(settingShapes) as SettingName[];
const NOT_SENT = { perHour: 0, perDay: 0 };
/** Names, in which quotes may be meant. */
const MAY_BE_QUOTED: ReadonlySet<SettingName> = new Set([
  "PRODUCT_NAME",
  "SELLER_NAME",
  "SELLER_ADDRESS",
  "SELLER_TAX_ID",
  "TAX_NAME",
]);

/** The settings as the product uses them. A part with a problem is one that isn't set, or fails where it is used. */
function buildConfig(given: GivenSettings, problems: readonly SettingProblem[]) {
  const isWithheld = (part: SettingPart) =>
    problems.some((one) => one.part === part && one.name === "OPS_URL");
  const isBroken = (part: SettingPart) => problems.some((one) => one.part === part);
  /** @throws {ConfigError} if the part can't work */
  const requirePart = (part: SettingPart) => {
    if (!isBroken(part)) return;
    const own = problems.filter((one) => one.part === part);
    throw new ConfigError(own.map(({ problem }) => problem).join("\n"));
  };
  const platform = { url: given.PLATFORM_URL, region: given.PLATFORM_REGION };
  const engine = {
    pollFloorMs: given.POLL_FLOOR_MS,
    offerHorizonMs: given.OFFER_HORIZON_HOURS * HOUR_MS,
    currency: given.CURRENCY,
    giveBackMs: given.GIVE_BACK_MINUTES * MINUTE_MS,
  };
  const beacon = { url: given.DRAND_URL, publicKey: given.DRAND_PUBLIC_KEY ?? QUICKNET.publicKey };
  return {
    /** Settings that are missing, malformed or contradictory, each with the part that stops. */
    problems,
    /** Whether a part stops because of its settings. */
    isBroken,
    /** Throws `ConfigError` if it does. */
    requirePart,
    productName: given.PRODUCT_NAME,
    publicUrl: given.PUBLIC_URL,
    masterKeys: given.MASTER_KEYS.value,
    masterKeyIds: given.MASTER_KEYS.ids,
    /** Ids of master keys that are gone for good: what they sealed is given up. */
    lostMasterKeys: given.LOST_MASTER_KEYS,
    get platform() {
      requirePart("capture");
      return platform;
    },
    get engine() {
      requirePart("capture");
      return engine;
    },
    /** How long before its start a block can be given back, and where; null without a link. */
    giveBack: { minutes: given.GIVE_BACK_MINUTES, url: given.GIVE_BACK_URL },
    /** From how much lost time in a day on it is given back; null if none is. */
    daysBackMinutes: given.DAYS_BACK_MINUTES,
    /** How many objects watch over the drivers' objects. */
    watchers: given.WATCHERS,
    /** How many objects call drivers' objects for their polls; none: each has an alarm a poll. */
    tickers: given.TICKERS,
    identity: identityOf(given, isBroken("sign_in")),
    sms:
      given.TWILIO_ACCOUNT_SID && given.TWILIO_AUTH_TOKEN && given.TWILIO_FROM
        ? {
            url: given.TWILIO_URL,
            accountSid: given.TWILIO_ACCOUNT_SID,
            ...tokensOf(given.TWILIO_AUTH_TOKEN),
            from: given.TWILIO_FROM,
            sender: senderOf(given.TWILIO_FROM),
          }
        : null,
    /** Which numbers get texts at all, and how many. */
    texts: {
      countries: given.TEXT_COUNTRIES,
      perDriver: given.TEXTS_PER_DRIVER,
      limits: {
        perNumber: given.TEXTS_PER_NUMBER,
        perAccount: given.TEXTS_PER_ACCOUNT,
        perNetwork: given.TEXTS_PER_NETWORK,
        // Without the challenge that somebody wanted, nobody registers.
        toNewNumbers: isBroken("registering") ? NOT_SENT : given.TEXTS_TO_NEW_NUMBERS,
        toProvedNumbers: given.TEXTS_TO_PROVED_NUMBERS,
        toDrivers: given.TEXTS_TO_DRIVERS,
        toInvitedNumbers: given.TEXTS_TO_INVITED_NUMBERS,
      },
    },
    /** Cloudflare Turnstile before registering; null if it is off. */
    turnstile:
      given.TURNSTILE_SITE_KEY && given.TURNSTILE_SECRET_KEY
        ? {
            url: given.TURNSTILE_URL,
            siteKey: given.TURNSTILE_SITE_KEY,
            secretKey: given.TURNSTILE_SECRET_KEY,
          }
        : null,
    vapid:
      given.VAPID_PUBLIC_KEY && given.VAPID_PRIVATE_KEY && given.VAPID_SUBJECT
        ? {
            publicKey: given.VAPID_PUBLIC_KEY,
            privateKey: given.VAPID_PRIVATE_KEY,
            subject: given.VAPID_SUBJECT,
          }
        : null,
    pushHosts: given.PUSH_HOSTS,
    stripePublishableKey: given.STRIPE_PUBLISHABLE_KEY,
    /** Null if cards can't be charged: that takes the publishable key (page) and the secret key (server). */
    cards:
      given.STRIPE_SECRET_KEY && given.STRIPE_PUBLISHABLE_KEY
        ? {
            url: given.STRIPE_URL,
            secretKey: given.STRIPE_SECRET_KEY,
            webhookSecrets: given.STRIPE_WEBHOOK_SECRETS,
          }
        : null,
    bankFeeMillionths: Math.round(given.BANK_FEE_RATE * 1_000_000),
    currency: given.CURRENCY,
    /**
     * The prices of plans until the console sets others in this currency; null for USD, whose prices the database
     * starts with.
     */
    listPrices: given.LIST_PRICES,
    paymentMethods: given.PAYMENT_METHODS,
    statementSuffix: given.STATEMENT_SUFFIX,
    seller: {
      name: given.SELLER_NAME ?? given.PRODUCT_NAME,
      address: given.SELLER_ADDRESS,
      taxId: given.SELLER_TAX_ID,
    },
    /** The tax that prices include; null if none is shown. */
    tax: given.TAX_NAME ? { name: given.TAX_NAME, millionths: Math.round(given.TAX_RATE * 1_000_000) } : null,
    support: {
      email: given.SUPPORT_EMAIL,
      phone: given.SUPPORT_PHONE,
      whatsapp: given.SUPPORT_WHATSAPP,
      announcementsUrl: given.ANNOUNCEMENTS_URL,
    },
    /** The public beacon that raffles are drawn with. */
    get beacon() {
      requirePart("raffles");
      return beacon;
    },
    /** Whether the page and the API are closed, and until when (null: until the setting is taken out). */
    maintenance:
      given.MAINTENANCE === null && !isBroken("maintenance")
        ? null
        : { until: parseInstant(given.MAINTENANCE ?? "") },
    /** The receiver of operators' alerts; null if there is none. */
    alerts: given.ALERT_URL ? { url: given.ALERT_URL, form: given.ALERT_FORM, key: given.ALERT_KEY } : null,
    legacyUrl: given.LEGACY_URL,
    hsts: given.HSTS,
    securityContact: given.SECURITY_CONTACT ?? (given.SUPPORT_EMAIL && `mailto:${given.SUPPORT_EMAIL}`),
    /** ISO day from which the terms of service hold; null while nobody has reviewed them. */
    termsDate: given.TERMS_DATE,
    /** The deployment's operators in the console; null if there is no console. */
    operators:
      given.ACCESS_TEAM_DOMAIN && given.ACCESS_AUD
        ? {
            issuer: `https://${given.ACCESS_TEAM_DOMAIN}`,
            audience: given.ACCESS_AUD,
            owners: given.OPS_OWNERS,
            support: given.OPS_SUPPORT,
            supportLimitCents: given.OPS_SUPPORT_LIMIT,
            supportSumCents: given.OPS_SUPPORT_SUM,
            supportLooks: given.OPS_SUPPORT_LOOKS,
            supportNumbers: given.OPS_SUPPORT_NUMBERS,
            supportAccess: given.OPS_SUPPORT_ACCESS,
            exportsPerDay: given.OPS_EXPORTS,
            logToken: given.OPS_LOG_TOKEN,
            /** The console's own host; null if it is at drivers' address. */
            host: given.OPS_URL === null ? null : new URL(given.OPS_URL).host,
            /** Its own address; null likewise. */
            url: given.OPS_URL === null ? null : new URL(given.OPS_URL).origin,
          }
        : null,
    /** The support chat; null if there is none. */
    chat:
      given.CHATWOOT_URL && given.CHATWOOT_TOKEN && given.CHATWOOT_HMAC_KEY
        ? {
            url: given.CHATWOOT_URL,
            token: given.CHATWOOT_TOKEN,
            hmacKey: given.CHATWOOT_HMAC_KEY,
            /** Null if contacts can't be deleted or renamed there. */
            api:
              given.CHATWOOT_ACCOUNT_ID && given.CHATWOOT_API_TOKEN
                ? { accountId: given.CHATWOOT_ACCOUNT_ID, apiToken: given.CHATWOOT_API_TOKEN }
                : null,
            hiddenPhone: given.CHAT_HIDDEN_PHONE,
            /** Whether pages show it; its contacts are followed in any case. */
            isShown: !isWithheld("chat"),
          }
        : null,
    /** The session recorder; null if nothing is recorded. */
    recording:
      given.RECORDING_SCRIPT_URL && !isWithheld("recording")
        ? {
            scriptUrl: given.RECORDING_SCRIPT_URL,
            tag: given.RECORDING_TAG ?? given.PRODUCT_NAME.toLowerCase(),
            /** Where its scripts are and where it sends to. */
            origins: [new URL(given.RECORDING_SCRIPT_URL).origin, ...given.RECORDING_ORIGINS],
          }
        : null,
  };
}

function identityOf(given: GivenSettings, isBroken: boolean) {
  if (isBroken) return NO_POOL;
  return given.IDENTITY === "cognito"
    ? cognitoPool(given.COGNITO_POOL_ID ?? "", given.COGNITO_CLIENT_ID ?? "")
    : embeddedPool(given.PUBLIC_URL);
}

/** The deployment's settings, parsed once. */
export type Config = ReturnType<typeof buildConfig>;

/** Settings as unparsed strings, by name. */
export type UnparsedSettings = Readonly<Record<string, unknown>>;

/** Settings are missing, malformed or contradictory. The message names each one and what it is for. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/**
 * Parses the settings. A malformed one stops the part that it belongs to, and is listed under `problems`.
 * @throws {ConfigError} if nothing can work: one line for each setting that is missing, malformed or contradictory, never
 * with its value
 */
export function parseConfig(env: UnparsedSettings): Config {
  const problems = new Map<SettingName, SettingProblem>();
  const note = (name: SettingName, words: string | null) => {
    if (problems.has(name)) return;
    problems.set(name, { name, part: PART_OF[name], problem: describeProblem(env, name, words) });
  };
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const text = toText(env[name]);
      const parsed = settingShapes[name].safeParse(text);
      const isQuoted = /^\s*(["']).*\1\s*$/s.test(String(text)) && !MAY_BE_QUOTED.has(name);
      if (parsed.success && !isQuoted) return [name, parsed.data];
      const issue = parsed.error?.issues[0];
      const words = issue?.code === "custom" ? issue.message : null;
      note(name, isQuoted ? `${name} has quotes around it, which would be part of it` : words);
      return [name, unsetValue(name)];
    }),
  ) as GivenSettings;
  const malformed = new Set(problems.keys());
  checkTogether(given, {
    isSound: (name) => !malformed.has(name),
    refuse: (name, words) => note(name, `${name} ${words}`),
  });
  const found = [...problems.values()];
  if (found.some(({ part }) => part === "core"))
    throw new ConfigError(found.map(({ problem }) => problem).join("\n"));
  const broken = new Set(found.map(({ part }) => part));
  const reset = SETTING_NAMES.filter((name) => broken.has(PART_OF[name]) && PART_OF[name] !== "contacts");
  const sound = { ...given, ...Object.fromEntries(reset.map((name) => [name, unsetValue(name)])) };
  return buildConfig(sound, [...found, ...withheldParts(sound)]);
}

/**
 * Parts whose scripts would share their origin with the console: one vendor whose script turns bad would be an owner in an
 * operator's browser.
 */
function withheldParts(given: GivenSettings): SettingProblem[] {
  if (given.ACCESS_TEAM_DOMAIN === null || given.OPS_URL !== null) return [];
  const parts = [
    ...(given.CHATWOOT_URL === null ? [] : ["chat" as const]),
    ...(given.RECORDING_SCRIPT_URL === null ? [] : ["recording" as const]),
  ];
  return parts.map((part) => ({
    name: "OPS_URL",
    part,
    problem: `OPS_URL is missing, so ${SETTING_PARTS[part]} is off: the console would share its origin with scripts of others`,
  }));
}

/** A number or a switch without quotes under `[vars]` arrives as what it is. */
function toText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** The value of a setting that is not set; undefined where it has none. */
function unsetValue(name: SettingName): unknown {
  const unset = settingShapes[name].safeParse(undefined);
  return unset.success ? unset.data : undefined;
}

function describeProblem(env: UnparsedSettings, name: SettingName, words: string | null): string {
  const { purpose, form } = SETTING_WORDS[name];
  const isMissing = String(env[name] ?? "").trim() === "";
  if (words !== null && words !== INVALID) return `${words}. It is ${purpose}: ${form}`;
  return isMissing
    ? `${name} is missing. It is ${purpose}: ${form}`
    : `${name} is malformed. It is ${purpose}, and must be ${form}`;
}

/** Epoch ms; null for what names no instant. */
function parseInstant(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
