import * as z from "zod";
import { isSupportedCurrency, MIN_CHARGE_CENTS } from "../../db/shapes/currencies.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import type { Env } from "./env.ts";

const setting = z.string().trim();
const optionalSetting = setting.optional().transform((value) => (value ? value : null));
const withDefault = (value: string) => setting.optional().transform((given) => given || value);
const integer = (least: number, most: number) => z.coerce.number<string>().int().min(least).max(most);
const httpUrl = setting.pipe(z.url({ protocol: /^https?$/ })).transform((value) => value.replace(/\/+$/, ""));
/** Unpadded Base64url of a key of this length. */
const base64UrlKey = (bytes: number) =>
  optionalSetting.refine((value) => value === null || isBase64Url(value, Math.ceil((bytes * 4) / 3)));
const list = setting.optional().transform((value) =>
  value
    ? value
        .split(",")
        .map((item) => item.trim())
        .filter(Boolean)
    : [],
);

const settings = z
  .object({
    PUBLIC_URL: httpUrl,
    PRODUCT_NAME: withDefault("Jornada"),
    MASTER_KEYS: setting.min(1),
    PLATFORM_URL: httpUrl,
    PLATFORM_REGION: withDefault("enam").pipe(
      z.enum(["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"]),
    ),
    POLL_FLOOR_MS: withDefault("1000").pipe(integer(50, 60_000)),
    OFFER_HORIZON_HOURS: withDefault("24").pipe(integer(1, 168)),
    IDENTITY: withDefault("embedded").pipe(z.enum(["embedded", "cognito"])),
    COGNITO_POOL_ID: setting
      .max(55)
      .regex(/^[\w-]+_[0-9a-zA-Z]+$/)
      .optional(),
    COGNITO_CLIENT_ID: setting.min(1).optional(),
    TWILIO_URL: withDefault("https://api.twilio.com").pipe(httpUrl),
    TWILIO_ACCOUNT_SID: optionalSetting,
    TWILIO_AUTH_TOKEN: optionalSetting,
    TWILIO_FROM: optionalSetting,
    STRIPE_URL: withDefault("https://api.stripe.com").pipe(httpUrl),
    STRIPE_SECRET_KEY: optionalSetting,
    STRIPE_PUBLISHABLE_KEY: optionalSetting,
    STRIPE_WEBHOOK_SECRETS: list,
    BANK_FEE_RATE: withDefault("0.007").pipe(z.coerce.number<string>().min(0).max(0.5)),
    CURRENCY: withDefault("USD").pipe(z.string().refine(isSupportedCurrency)),
    PAYMENT_METHODS: list
      .transform((given) => (given.length > 0 ? given : ["card", "link"]))
      .pipe(z.array(z.string().regex(/^[a-z0-9_]+$/))),
    STATEMENT_SUFFIX: withDefault("SERVICE").pipe(z.string().regex(/^(?=.*[A-Za-z])[A-Za-z0-9 .-]{1,12}$/)),
    SELLER_NAME: optionalSetting,
    SELLER_ADDRESS: optionalSetting,
    SELLER_TAX_ID: optionalSetting,
    TAX_NAME: optionalSetting,
    TAX_RATE: withDefault("0").pipe(z.coerce.number<string>().min(0).max(0.5)),
    SUPPORT_EMAIL: optionalSetting,
    SUPPORT_PHONE: optionalSetting,
    SUPPORT_WHATSAPP: list,
    ANNOUNCEMENTS_URL: optionalSetting,
    LEGACY_URL: optionalSetting,
    // An uncompressed point starts with the byte 0x04, so its Base64 starts with B.
    VAPID_PUBLIC_KEY: base64UrlKey(65).refine((value) => value === null || value.startsWith("B")),
    VAPID_PRIVATE_KEY: base64UrlKey(32),
    VAPID_SUBJECT: optionalSetting.refine(
      (value) => value === null || /^(mailto:.+@.+|https:\/\/.+)$/.test(value),
    ),
    PUSH_HOSTS: list.pipe(
      z.array(
        z
          .string()
          .toLowerCase()
          .regex(/^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/),
      ),
    ),
  })
  .superRefine((given, context) => {
    const vapid = ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"] as const;
    for (const name of vapid.some((name) => given[name] !== null) ? vapid : []) {
      if (given[name] === null) context.addIssue({ code: "custom", path: [name], message: "missing" });
    }
    // Drivers would fill in a card form that the server can't charge.
    if (stripeModeOf(given.STRIPE_SECRET_KEY) !== stripeModeOf(given.STRIPE_PUBLISHABLE_KEY)) {
      for (const name of ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"] as const) {
        if (given.STRIPE_SECRET_KEY && given.STRIPE_PUBLISHABLE_KEY)
          context.addIssue({ code: "custom", path: [name], message: "another mode" });
      }
    }
    if (given.TAX_RATE > 0 !== (given.TAX_NAME !== null)) {
      context.addIssue({ code: "custom", path: ["TAX_NAME"], message: "missing" });
    }
    if (given.IDENTITY === "embedded") return;
    for (const name of ["COGNITO_POOL_ID", "COGNITO_CLIENT_ID"] as const) {
      if (!given[name]) context.addIssue({ code: "custom", path: [name], message: "missing" });
    }
  })
  .transform((given) => ({
    productName: given.PRODUCT_NAME,
    publicUrl: given.PUBLIC_URL,
    masterKeys: given.MASTER_KEYS,
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
  }));

/** The deployment's settings, parsed once. */
export type Config = z.infer<typeof settings>;

/** What each setting without a default is for, shown if it is missing or malformed. */
const SETTING_PURPOSES: Record<string, string> = {
  PUBLIC_URL: "the address at which drivers reach this deployment",
  MASTER_KEYS: "the keys from which all others are derived, as id:base64 of 32 bytes, comma-separated",
  PLATFORM_URL: "the delivery platform's address",
  COGNITO_POOL_ID: "the user pool that signs drivers in, as in us-east-1_AbCdEf123",
  COGNITO_CLIENT_ID: "the app client of that user pool",
  CURRENCY: `the currency of prices, one of ${Object.keys(MIN_CHARGE_CENTS).join(", ")}`,
  STRIPE_SECRET_KEY: "Stripe's secret key, live or test like the publishable one",
  STRIPE_PUBLISHABLE_KEY: "Stripe's publishable key, live or test like the secret one",
  PAYMENT_METHODS: "the payment methods to offer, by Stripe's names, as in card,link",
  STATEMENT_SUFFIX: "what the card's statement shows after your Stripe account's prefix, 12 letters at most",
  TAX_NAME: "the name of the tax that prices include, together with TAX_RATE",
  VAPID_PUBLIC_KEY: "the public key that browser notifications are signed for, Base64url of 65 bytes",
  VAPID_PRIVATE_KEY: "the private key of browser notifications, Base64url of 32 bytes",
  VAPID_SUBJECT: "whom push services reach about browser notifications, as mailto: or https:",
  PUSH_HOSTS:
    "push services beside those of Chrome, Firefox, Edge and Safari, as host names, comma-separated",
};

/** Settings are missing or malformed. The message names each one and what it is for. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/**
 * Parses the settings.
 * @throws {ConfigError} naming every setting that is missing or malformed, but never its value
 */
export function parseConfig(env: Env): Config {
  const parsed = settings.safeParse(env);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
  const lines = names.map(
    (name) => `${name} is missing or malformed: ${SETTING_PURPOSES[name] ?? "see README, Settings"}`,
  );
  throw new ConfigError(lines.join("\n"));
}

/** `live` or `test`, as a key of Stripe's says; null for no key. */
function stripeModeOf(key: string | null): string | null {
  return key && (/^[a-z]+_(live|test)_/.exec(key)?.[1] ?? null);
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
