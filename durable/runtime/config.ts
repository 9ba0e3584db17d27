import * as z from "zod";
import { isSupportedCurrency, MIN_CHARGE_CENTS } from "../../db/shapes/money/currencies.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import type { Env } from "./env.ts";
import { cognitoPool, embeddedPool } from "./identity-config.ts";
import { INVALID, settingShapes } from "./setting-shapes.ts";
import { SETTING_GROUPS, SETTING_WORDS, type SettingName } from "./setting-words.ts";

/** The kind of sender: a phone number, a short code, or a messaging service, which chooses one of several. */
function senderOf(from: string): "number" | "short_code" | "service" {
  if (/^MG/i.test(from)) return "service";
  return from.startsWith("+") ? "number" : "short_code";
}

const settings = z
  .object(settingShapes)
  .superRefine((given, context) => {
    const refuse = (name: SettingName, message: string) =>
      context.addIssue({ code: "custom", path: [name], message: `${name} ${message}` });
    for (const group of SETTING_GROUPS) {
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
    if (given.ACCESS_TEAM_DOMAIN === null && given.OPS_OWNERS.length > 0)
      refuse("ACCESS_TEAM_DOMAIN", "is missing, and OPS_OWNERS can't do without it");
    if (given.OPS_SUPPORT.some((one) => given.OPS_OWNERS.includes(one)))
      refuse("OPS_SUPPORT", "contradicts OPS_OWNERS, which names one of them too");
    const isKnown = isSupportedCurrency(given.CURRENCY);
    if (isKnown && given.CURRENCY !== "USD" && given.LIST_PRICES === null)
      refuse("LIST_PRICES", `is missing, and CURRENCY=${given.CURRENCY} can't do without it`);
    const tooLow = Object.values(given.LIST_PRICES ?? {}).some(
      (cents) => cents < MIN_CHARGE_CENTS[given.CURRENCY],
    );
    if (isKnown && tooLow) refuse("LIST_PRICES", `is malformed: a price is less than a card can be charged`);
    if (given.TAX_RATE > 0 && given.TAX_NAME === null)
      refuse("TAX_NAME", "is missing, and TAX_RATE can't do without it");
    if (given.TAX_RATE === 0 && given.TAX_NAME !== null)
      refuse("TAX_RATE", "is missing, and TAX_NAME can't do without it");
    const needsKey = given.ALERT_FORM === "webhook" || given.ALERT_FORM === "pagerduty";
    if (given.ALERT_URL !== null && needsKey && given.ALERT_KEY === null)
      refuse("ALERT_KEY", `is missing, and ALERT_FORM=${given.ALERT_FORM} can't do without it`);
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
    /** The prices of plans until the console sets others in this currency; null for USD, whose prices the database starts with. */
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
    /** Whether the page and the API are closed, and until when (null: until the setting is taken out). */
    maintenance: given.MAINTENANCE === null ? null : { until: parseInstant(given.MAINTENANCE) },
    /** The receiver of operators' alerts; null if there is none. */
    alerts: given.ALERT_URL ? { url: given.ALERT_URL, form: given.ALERT_FORM, key: given.ALERT_KEY } : null,
    legacyUrl: given.LEGACY_URL,
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

/** Epoch ms; null for what names no instant. */
function parseInstant(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
