import * as z from "zod";
import { isSupportedCurrency } from "../../db/shapes/currencies.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import type { Env } from "./env.ts";
import { parseMasterKeys } from "./keys.ts";
import { SETTING_WORDS, type SettingName } from "./setting-words.ts";

const setting = z.string().trim();
const optionalSetting = setting.optional().transform((value) => (value ? value : null));
const withDefault = (value: string) => setting.optional().transform((given) => given || value);
const integer = (least: number, most: number) => z.coerce.number<string>().int().min(least).max(most);
const httpUrl = setting.pipe(z.url({ protocol: /^https?$/ })).transform((value) => value.replace(/\/+$/, ""));
const optional = (isWellFormed: (value: string) => boolean) =>
  optionalSetting.refine((value) => value === null || isWellFormed(value));
const matching = (pattern: RegExp) => optional((value) => pattern.test(value));
const optionalUrl = optional((value) => httpUrl.safeParse(value).success);
/** Unpadded Base64url of a key of this length. */
const base64UrlKey = (bytes: number) => optional((value) => isBase64Url(value, Math.ceil((bytes * 4) / 3)));
const list = setting.optional().transform((value) =>
  value
    ? value
        .split(",")
        .map((item) => item.trim())
        .filter(Boolean)
    : [],
);
const listOf = (pattern: RegExp) => list.refine((items) => items.every((item) => pattern.test(item)));
/** Who Cloudflare Access says that somebody is: an e-mail address, or the client id of a service token. */
const operators = listOf(/^([^\s@]+@[^\s@]+|[0-9a-z]+\.access)$/i).transform((items) =>
  items.map((item) => item.toLowerCase()),
);
/** `20/60`: at most 20 in an hour and 60 in a day. */
const perHourAndDay = (fallback: string) =>
  withDefault(fallback)
    .pipe(z.string().regex(/^\d{1,7}\s*\/\s*\d{1,7}$/))
    .transform((value) => value.split("/").map(Number))
    .pipe(z.tuple([z.number(), z.number()]))
    .refine(([perHour, perDay]) => perHour <= perDay)
    .transform(([perHour, perDay]) => ({ perHour, perDay }));

/** The message of a refinement that has no words of its own. */
const INVALID = "Invalid input";
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

const shapes = {
  PUBLIC_URL: httpUrl,
  PRODUCT_NAME: withDefault("Jornada").pipe(z.string().max(40)),
  MASTER_KEYS: setting.min(1).transform((value, context) => {
    try {
      return { value, ids: parseMasterKeys(value).map(({ id }) => id) };
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof TypeError ? error.message : INVALID });
      return z.NEVER;
    }
  }),
  LOST_MASTER_KEYS: listOf(/^[A-Za-z0-9_-]{1,32}$/),
  PLATFORM_URL: httpUrl,
  PLATFORM_REGION: withDefault("enam").pipe(
    z.enum(["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"]),
  ),
  POLL_FLOOR_MS: withDefault("1000").pipe(integer(50, 60_000)),
  OFFER_HORIZON_HOURS: withDefault("24").pipe(integer(1, 168)),
  IDENTITY: withDefault("embedded").pipe(z.enum(["embedded", "cognito"])),
  COGNITO_POOL_ID: optional((value) => value.length <= 55 && /^[\w-]+_[0-9a-zA-Z]+$/.test(value)),
  COGNITO_CLIENT_ID: matching(/^[\w+]{1,128}$/),
  TWILIO_URL: withDefault("https://api.twilio.com").pipe(httpUrl),
  TWILIO_ACCOUNT_SID: matching(/^AC[0-9a-zA-Z]+$/),
  TWILIO_AUTH_TOKEN: matching(/^\S+$/),
  TWILIO_FROM: matching(/^(\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-f]{32})$/i),
  TEXT_COUNTRIES: withDefault("US,CA")
    .transform((value) => value.split(",").map((item) => item.trim()))
    .refine((items) => items.every((item) => /^([A-Z]{2}|\+[1-9]\d{0,14})$/.test(item))),
  TEXTS_PER_NUMBER: perHourAndDay("5/10"),
  TEXTS_PER_ACCOUNT: perHourAndDay("8/20"),
  TEXTS_PER_NETWORK: perHourAndDay("20/60"),
  TEXTS_TO_NEW_NUMBERS: perHourAndDay("200/1000"),
  TEXTS_TO_PROVED_NUMBERS: perHourAndDay("200/1000"),
  TEXTS_TO_DRIVERS: perHourAndDay("2000/20000"),
  TEXTS_TO_INVITED_NUMBERS: perHourAndDay("100/500"),
  TEXTS_PER_DRIVER: withDefault("20").pipe(integer(1, 1000)),
  TURNSTILE_URL: withDefault("https://challenges.cloudflare.com").pipe(httpUrl),
  TURNSTILE_SITE_KEY: matching(/^[\w.-]+$/),
  TURNSTILE_SECRET_KEY: matching(/^[\w.-]+$/),
  STRIPE_URL: withDefault("https://api.stripe.com").pipe(httpUrl),
  STRIPE_SECRET_KEY: matching(/^[rs]k_(test|live)_\w+$/),
  STRIPE_PUBLISHABLE_KEY: matching(/^pk_(test|live)_\w+$/),
  STRIPE_WEBHOOK_SECRETS: listOf(/^whsec_\S+$/),
  BANK_FEE_RATE: withDefault("0.007").pipe(z.coerce.number<string>().min(0).max(0.5)),
  CURRENCY: withDefault("USD").pipe(z.string().refine(isSupportedCurrency)),
  PAYMENT_METHODS: list
    .transform((given) => (given.length > 0 ? given : ["card", "link"]))
    .pipe(z.array(z.string().regex(/^[a-z0-9_]+$/))),
  STATEMENT_SUFFIX: withDefault("SERVICE").pipe(z.string().regex(/^(?=.*[A-Za-z])[A-Za-z0-9 .-]{1,12}$/)),
  SELLER_NAME: matching(/^.{1,200}$/),
  SELLER_ADDRESS: matching(/^[^]{1,500}$/),
  SELLER_TAX_ID: matching(/^.{1,50}$/),
  TAX_NAME: matching(/^.{1,30}$/),
  TAX_RATE: withDefault("0").pipe(z.coerce.number<string>().min(0).max(0.5)),
  SUPPORT_EMAIL: matching(/^[^\s@]+@[^\s@]+$/),
  SUPPORT_PHONE: matching(PHONE_NUMBER),
  SUPPORT_WHATSAPP: listOf(PHONE_NUMBER),
  ANNOUNCEMENTS_URL: optionalUrl,
  LEGACY_URL: optionalUrl,
  CHATWOOT_URL: optionalUrl.transform((value) => value?.replace(/\/+$/, "") ?? null),
  CHATWOOT_TOKEN: matching(/^[\w-]+$/),
  CHATWOOT_HMAC_KEY: matching(/^\S+$/),
  CHAT_HIDDEN_PHONE: matching(PHONE_NUMBER),
  RECORDING_SCRIPT_URL: optionalUrl,
  RECORDING_TAG: matching(/^[\w.-]{1,100}$/),
  RECORDING_ORIGINS: listOf(/^https?:\/\/(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?$/),
  ACCESS_TEAM_DOMAIN: matching(/^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/),
  ACCESS_AUD: matching(/^[\w-]+$/),
  OPS_OWNERS: operators,
  OPS_SUPPORT: operators,
  OPS_SUPPORT_LIMIT: withDefault("50")
    .pipe(z.string().regex(/^\d{1,6}(\.\d{2})?$/))
    .transform((value) => Math.round(Number(value) * 100)),
  // An uncompressed point starts with the byte 0x04, so its Base64 starts with B.
  VAPID_PUBLIC_KEY: base64UrlKey(65).refine((value) => value === null || value.startsWith("B")),
  VAPID_PRIVATE_KEY: base64UrlKey(32),
  VAPID_SUBJECT: matching(/^(mailto:.+@.+|https:\/\/.+)$/),
  PUSH_HOSTS: list.pipe(
    z.array(
      z
        .string()
        .toLowerCase()
        .regex(/^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/),
    ),
  ),
} satisfies Record<SettingName, z.ZodType>;

/** What texts come from: a phone number, a short code, or a messaging service, which chooses one of several. */
function senderOf(from: string): "number" | "short_code" | "service" {
  if (/^MG/i.test(from)) return "service";
  return from.startsWith("+") ? "number" : "short_code";
}

/** Settings of which either all are set or none is. */
const GROUPS = [
  ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"],
  ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"],
  ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"],
  ["CHATWOOT_URL", "CHATWOOT_TOKEN", "CHATWOOT_HMAC_KEY"],
  ["ACCESS_TEAM_DOMAIN", "ACCESS_AUD"],
] as const;

const settings = z
  .object(shapes)
  .superRefine((given, context) => {
    const refuse = (name: SettingName, message: string) =>
      context.addIssue({ code: "custom", path: [name], message: `${name} ${message}` });
    for (const group of GROUPS) {
      const set = group.filter((name) => given[name] !== null);
      for (const name of set.length > 0 ? group : []) {
        if (given[name] === null) refuse(name, `is missing, and ${set.join(", ")} can't do without it`);
      }
    }
    if (given.IDENTITY === "cognito") {
      for (const name of ["COGNITO_POOL_ID", "COGNITO_CLIENT_ID"] as const) {
        if (given[name] === null) refuse(name, "is missing, and IDENTITY=cognito can't do without it");
      }
    }
    if (
      modeOf(given.STRIPE_SECRET_KEY) !== modeOf(given.STRIPE_PUBLISHABLE_KEY) &&
      given.STRIPE_SECRET_KEY &&
      given.STRIPE_PUBLISHABLE_KEY
    )
      refuse(
        "STRIPE_PUBLISHABLE_KEY",
        "contradicts STRIPE_SECRET_KEY: one is for tests, the other for live cards",
      );
    if (given.ACCESS_TEAM_DOMAIN !== null && given.OPS_OWNERS.length === 0)
      refuse("OPS_OWNERS", "is missing, and ACCESS_TEAM_DOMAIN can't do without it");
    if (given.OPS_SUPPORT.some((one) => given.OPS_OWNERS.includes(one)))
      refuse("OPS_SUPPORT", "contradicts OPS_OWNERS, which names one of them too");
    if (given.TAX_RATE > 0 && given.TAX_NAME === null)
      refuse("TAX_NAME", "is missing, and TAX_RATE can't do without it");
    if (given.TAX_RATE === 0 && given.TAX_NAME !== null)
      refuse("TAX_RATE", "is missing, and TAX_NAME can't do without it");
    const recorderParts = {
      RECORDING_TAG: given.RECORDING_TAG,
      RECORDING_ORIGINS: given.RECORDING_ORIGINS[0],
    };
    for (const [name, value] of Object.entries(recorderParts)) {
      if (value && given.RECORDING_SCRIPT_URL === null)
        refuse("RECORDING_SCRIPT_URL", `is missing, and ${name} can't do without it`);
    }
    const { ids } = given.MASTER_KEYS;
    for (const id of given.LOST_MASTER_KEYS.filter((lost) => ids.includes(lost)))
      refuse("LOST_MASTER_KEYS", `contradicts MASTER_KEYS, which still has the key ${id}`);
  })
  .transform((given) => ({
    productName: given.PRODUCT_NAME,
    publicUrl: given.PUBLIC_URL,
    masterKeys: given.MASTER_KEYS.value,
    masterKeyIds: given.MASTER_KEYS.ids,
    /** Ids of master keys that are gone for good: what they sealed is given up. */
    lostMasterKeys: given.LOST_MASTER_KEYS,
    platform: { url: given.PLATFORM_URL, region: given.PLATFORM_REGION },
    engine: {
      pollFloorMs: given.POLL_FLOOR_MS,
      offerHorizonMs: given.OFFER_HORIZON_HOURS * HOUR_MS,
      currency: given.CURRENCY,
    },
    identity:
      given.IDENTITY === "cognito"
        ? cognitoPool(given.COGNITO_POOL_ID ?? "", given.COGNITO_CLIENT_ID ?? "")
        : embeddedPool(given.PUBLIC_URL),
    sms:
      given.TWILIO_ACCOUNT_SID && given.TWILIO_AUTH_TOKEN && given.TWILIO_FROM
        ? {
            url: given.TWILIO_URL,
            accountSid: given.TWILIO_ACCOUNT_SID,
            authToken: given.TWILIO_AUTH_TOKEN,
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
        toNewNumbers: given.TEXTS_TO_NEW_NUMBERS,
        toProvedNumbers: given.TEXTS_TO_PROVED_NUMBERS,
        toDrivers: given.TEXTS_TO_DRIVERS,
        toInvitedNumbers: given.TEXTS_TO_INVITED_NUMBERS,
      },
    },
    /** Cloudflare Turnstile before registering; null if it isn't asked for. */
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
    legacyUrl: given.LEGACY_URL,
    /** Who runs the deployment in the console; null if there is no console. */
    operators:
      given.ACCESS_TEAM_DOMAIN && given.ACCESS_AUD
        ? {
            issuer: `https://${given.ACCESS_TEAM_DOMAIN}`,
            audience: given.ACCESS_AUD,
            owners: given.OPS_OWNERS,
            support: given.OPS_SUPPORT,
            supportLimitCents: given.OPS_SUPPORT_LIMIT,
          }
        : null,
    /** The support chat; null if there is none. */
    chat:
      given.CHATWOOT_URL && given.CHATWOOT_TOKEN && given.CHATWOOT_HMAC_KEY
        ? {
            url: given.CHATWOOT_URL,
            token: given.CHATWOOT_TOKEN,
            hmacKey: given.CHATWOOT_HMAC_KEY,
            hiddenPhone: given.CHAT_HIDDEN_PHONE,
          }
        : null,
    /** The session recorder; null if nothing is recorded. */
    recording: given.RECORDING_SCRIPT_URL
      ? {
          scriptUrl: given.RECORDING_SCRIPT_URL,
          tag: given.RECORDING_TAG ?? given.PRODUCT_NAME.toLowerCase(),
          /** Where its scripts are and where it sends to. */
          origins: [new URL(given.RECORDING_SCRIPT_URL).origin, ...given.RECORDING_ORIGINS],
        }
      : null,
  }));

/** The deployment's settings, parsed once. */
export type Config = z.infer<typeof settings>;

/** Settings are missing, malformed or contradictory. The message names each one and what it is for. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/**
 * Parses the settings.
 * @throws {ConfigError} one line for each setting that is missing, malformed or contradictory, never with its value
 */
export function parseConfig(env: Env): Config {
  const parsed = settings.safeParse(env);
  if (parsed.success) return parsed.data;
  const problems = new Map<string, string>();
  for (const { path, code, message } of parsed.error.issues) {
    const name = String(path[0]);
    if (!problems.has(name))
      problems.set(name, describeProblem(env, name, code === "custom" ? message : null));
  }
  throw new ConfigError([...problems.values()].join("\n"));
}

function describeProblem(env: Env, name: string, words: string | null): string {
  const { purpose, form } = SETTING_WORDS[name as SettingName];
  const isMissing = String(env[name] ?? "").trim() === "";
  if (words !== null && words !== INVALID) return `${words}. It is ${purpose}: ${form}`;
  return isMissing
    ? `${name} is missing. It is ${purpose}: ${form}`
    : `${name} is malformed. It is ${purpose}, and must be ${form}`;
}

/** Whether a key of the card processor is for tests or for live cards. */
function modeOf(key: string | null): string | undefined {
  return key?.split("_")[1];
}

function isBase64Url(text: string, length: number): boolean {
  return text.length === length && /^[\w-]+$/.test(text);
}

/** The user pool that signs drivers in, and what its tokens must carry. */
export type IdentityConfig = {
  kind: "embedded" | "cognito";
  /** Where the page's Cognito client posts to; a path for the embedded pool. */
  endpoint: string;
  issuer: string;
  poolId: string;
  clientId: string;
};

/** Part of every SRP password verifier: changing it would lock everyone out. */
const EMBEDDED_POOL_ID = "local_Jornada1";
const EMBEDDED_CLIENT_ID = "jornadaweb";

function embeddedPool(publicUrl: string): IdentityConfig {
  const issuer = `${publicUrl}/identity/${EMBEDDED_POOL_ID}`;
  return {
    kind: "embedded",
    endpoint: "/identity/",
    issuer,
    poolId: EMBEDDED_POOL_ID,
    clientId: EMBEDDED_CLIENT_ID,
  };
}

function cognitoPool(poolId: string, clientId: string): IdentityConfig {
  const region = poolId.slice(0, poolId.lastIndexOf("_"));
  const endpoint = `https://cognito-idp.${region}.amazonaws.com/`;
  return { kind: "cognito", endpoint, issuer: `${endpoint}${poolId}`, poolId, clientId };
}
