import { isSupportedCountry } from "libphonenumber-js/min";
import * as z from "zod";
import { PLANS_FOR_SALE, type PlanPrices } from "../../db/shapes/money/plans.ts";
import { PAYMENT_METHODS } from "../../db/shapes/money/stripe-words.ts";
import { isSupportedCurrency } from "../../db/shapes/money/currencies.ts";
import { parseMasterKeys } from "./keys.ts";
import { SETTING_WORDS, type DefaultedSetting, type SettingName } from "./setting-words.ts";

const setting = z.string().trim();
const optionalSetting = setting.optional().transform((value) => (value ? value : null));
/** A text, or the default that the setting's words give. */
const withDefault = (name: DefaultedSetting) =>
  setting.optional().transform((given): string => given || SETTING_WORDS[name].default);
const integer = (least: number, most: number) => z.coerce.number<string>().int().min(least).max(most);
const httpUrl = setting.pipe(z.url({ protocol: /^https?$/ })).transform((value) => value.replace(/\/+$/, ""));
/** Links begin with it, and nothing answers below a path. */
const ownAddress = httpUrl.refine((value) => {
  const { pathname, search, hash, username } = new URL(value);
  return `${pathname}${search}${hash}${username}` === "/";
});
const optional = (isWellFormed: (value: string) => boolean) =>
  optionalSetting.refine((value) => value === null || isWellFormed(value));
const matching = (pattern: RegExp) => optional((value) => pattern.test(value));
const optionalUrl = optional((value) => httpUrl.safeParse(value).success);
/** Unpadded Base64url of a key of this length. */
const base64UrlKey = (bytes: number) => optional((value) => isBase64Url(value, Math.ceil((bytes * 4) / 3)));
const list = setting.optional().transform(splitList);
const listOf = (pattern: RegExp) => list.refine((items) => items.every((item) => pattern.test(item)));
/** Identities as Cloudflare Access states them: an e-mail address, or the client id of a service token. */
const operators = listOf(/^([^\s@]+@[^\s@]+|[0-9a-z]+\.access)$/i).transform((items) =>
  items.map((item) => item.toLowerCase()),
);
/** `20/60`: at most 20 in an hour and 60 in a day. */
const perHourAndDay = (name: DefaultedSetting) =>
  withDefault(name)
    .pipe(z.string().regex(/^\d{1,7}\s*\/\s*\d{1,7}$/))
    .transform((value) => value.split("/").map(Number))
    .pipe(z.tuple([z.number(), z.number()]))
    .refine(([perHour, perDay]) => perHour <= perDay)
    .transform(([perHour, perDay]) => ({ perHour, perDay }));

/** The message of a refinement that has no words of its own. */
export const INVALID = "Invalid input";
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** Whether there is a price for each plan that is for sale, and for no other. */
function isPriceList(given: unknown): boolean {
  const prices = new Map(Object.entries(given ?? {}));
  return (
    prices.size === PLANS_FOR_SALE.length &&
    PLANS_FOR_SALE.every((plan) => Number.isInteger(prices.get(plan)))
  );
}

/** An amount of money, in cents. */
function amountOf(name: "OPS_SUPPORT_LIMIT" | "OPS_SUPPORT_SUM") {
  return withDefault(name)
    .pipe(z.string().regex(/^\d{1,6}(\.\d{2})?$/))
    .transform((value) => Math.round(Number(value) * 100));
}

/** How often in a day. */
function countOf(name: "OPS_SUPPORT_LOOKS" | "OPS_SUPPORT_NUMBERS" | "OPS_SUPPORT_ACCESS") {
  return withDefault(name)
    .pipe(z.string().regex(/^\d{1,6}$/))
    .transform(Number);
}

/** Each setting by itself: its form, and its value where it is not set. */
export const settingShapes = {
  PUBLIC_URL: ownAddress,
  PRODUCT_NAME: withDefault("PRODUCT_NAME").pipe(z.string().max(40)),
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
  PLATFORM_REGION: withDefault("PLATFORM_REGION").pipe(
    z.enum(["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"]),
  ),
  POLL_FLOOR_MS: withDefault("POLL_FLOOR_MS").pipe(integer(50, 60_000)),
  WATCHERS: withDefault("WATCHERS").pipe(integer(1, 256)),
  TICKERS: withDefault("TICKERS").pipe(integer(0, 2000)),
  /** Null: nothing is given back. */
  DAYS_BACK_MINUTES: withDefault("DAYS_BACK_MINUTES").pipe(
    z.union([z.literal("off").transform(() => null), integer(10, 1440)]),
  ),
  OFFER_HORIZON_HOURS: withDefault("OFFER_HORIZON_HOURS").pipe(integer(1, 168)),
  GIVE_BACK_MINUTES: withDefault("GIVE_BACK_MINUTES").pipe(integer(0, 1440)),
  GIVE_BACK_URL: optionalUrl,
  /** Null is the embedded pool, too. */
  IDENTITY: optionalSetting.pipe(z.nullable(z.enum(["embedded", "cognito"]))),
  COGNITO_POOL_ID: optional((value) => value.length <= 55 && /^[\w-]+_[0-9a-zA-Z]+$/.test(value)),
  COGNITO_CLIENT_ID: matching(/^[\w+]{1,128}$/),
  TWILIO_URL: withDefault("TWILIO_URL").pipe(httpUrl),
  TWILIO_ACCOUNT_SID: matching(/^AC[0-9a-zA-Z]+$/),
  TWILIO_AUTH_TOKEN: matching(/^[^\s,]+(\s*,\s*[^\s,]+)?$/),
  TWILIO_FROM: matching(/^(\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-f]{32})$/i),
  TEXT_COUNTRIES: withDefault("TEXT_COUNTRIES")
    .transform((value) => value.split(",").map((item) => item.trim()))
    .refine((items) => items.every((item) => /^\+[1-9]\d{0,14}$/.test(item) || isSupportedCountry(item))),
  TEXTS_PER_NUMBER: perHourAndDay("TEXTS_PER_NUMBER"),
  TEXTS_PER_ACCOUNT: perHourAndDay("TEXTS_PER_ACCOUNT"),
  TEXTS_PER_NETWORK: perHourAndDay("TEXTS_PER_NETWORK"),
  TEXTS_TO_NEW_NUMBERS: perHourAndDay("TEXTS_TO_NEW_NUMBERS"),
  TEXTS_TO_PROVED_NUMBERS: perHourAndDay("TEXTS_TO_PROVED_NUMBERS"),
  TEXTS_TO_DRIVERS: perHourAndDay("TEXTS_TO_DRIVERS"),
  TEXTS_TO_INVITED_NUMBERS: perHourAndDay("TEXTS_TO_INVITED_NUMBERS"),
  TEXTS_PER_DRIVER: withDefault("TEXTS_PER_DRIVER").pipe(integer(1, 1000)),
  TURNSTILE_URL: withDefault("TURNSTILE_URL").pipe(httpUrl),
  TURNSTILE_SITE_KEY: matching(/^[\w.-]+$/),
  TURNSTILE_SECRET_KEY: matching(/^[\w.-]+$/),
  STRIPE_URL: withDefault("STRIPE_URL").pipe(httpUrl),
  STRIPE_SECRET_KEY: matching(/^[rs]k_(test|live)_\w+$/),
  STRIPE_PUBLISHABLE_KEY: matching(/^pk_(test|live)_\w+$/),
  STRIPE_WEBHOOK_SECRETS: listOf(/^whsec_[\w+/=-]+$/),
  BANK_FEE_RATE: withDefault("BANK_FEE_RATE").pipe(z.coerce.number<string>().min(0).max(0.5)),
  CURRENCY: withDefault("CURRENCY").pipe(z.string().refine(isSupportedCurrency)),
  LIST_PRICES: matching(/^\w+=\d{1,6}(\.\d{2})?(,\w+=\d{1,6}(\.\d{2})?)*$/)
    .transform(
      (given) =>
        given &&
        Object.fromEntries(
          given.split(",").map((one) => {
            const [plan = "", amount = ""] = one.split("=");
            return [plan, Math.round(Number(amount) * 100)];
          }),
        ),
    )
    .pipe(z.nullable(z.custom<PlanPrices>(isPriceList))),
  PAYMENT_METHODS: list
    .transform((given) => (given.length > 0 ? given : splitList(SETTING_WORDS.PAYMENT_METHODS.default)))
    .pipe(z.array(z.string().refine((name) => PAYMENT_METHODS.has(name)))),
  STATEMENT_SUFFIX: withDefault("STATEMENT_SUFFIX").pipe(
    z.string().regex(/^(?=.*[A-Za-z])[A-Za-z0-9 .-]{1,12}$/),
  ),
  SELLER_NAME: matching(/^.{1,200}$/),
  SELLER_ADDRESS: matching(/^[^]{1,500}$/),
  SELLER_TAX_ID: matching(/^.{1,50}$/),
  TAX_NAME: matching(/^.{1,30}$/),
  TAX_RATE: withDefault("TAX_RATE").pipe(z.coerce.number<string>().min(0).max(0.5)),
  SUPPORT_EMAIL: matching(/^[^\s@]+@[^\s@]+$/),
  SUPPORT_PHONE: matching(PHONE_NUMBER),
  SUPPORT_WHATSAPP: listOf(PHONE_NUMBER),
  ANNOUNCEMENTS_URL: optionalUrl,
  MAINTENANCE: optional(
    (value) =>
      value === "on" ||
      z.iso
        .datetime({ offset: true, precision: -1 })
        .or(z.iso.datetime({ offset: true }))
        .safeParse(value).success,
  ),
  ALERT_URL: optionalUrl,
  ALERT_FORM: withDefault("ALERT_FORM").pipe(z.enum(["webhook", "slack", "pagerduty", "email"])),
  ALERT_KEY: matching(/^\S+$/),
  LEGACY_URL: optionalUrl,
  DRAND_URL: withDefault("DRAND_URL").pipe(httpUrl),
  DRAND_PUBLIC_KEY: matching(/^[0-9a-f]{192}$/),
  TERMS_DATE: optional((value) => z.iso.date().safeParse(value).success),
  CHATWOOT_URL: optionalUrl.transform((value) => value?.replace(/\/+$/, "") ?? null),
  CHATWOOT_TOKEN: matching(/^[\w-]+$/),
  CHATWOOT_HMAC_KEY: matching(/^\S+$/),
  CHATWOOT_ACCOUNT_ID: matching(/^\d{1,12}$/),
  CHATWOOT_API_TOKEN: matching(/^\S+$/),
  CHAT_HIDDEN_PHONE: matching(PHONE_NUMBER),
  RECORDING_SCRIPT_URL: optionalUrl,
  RECORDING_TAG: matching(/^[\w.-]{1,100}$/),
  RECORDING_ORIGINS: listOf(/^https?:\/\/(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?$/),
  ACCESS_TEAM_DOMAIN: matching(/^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/),
  ACCESS_AUD: matching(/^[\w-]+$/),
  OPS_OWNERS: operators,
  OPS_SUPPORT: operators,
  OPS_SUPPORT_LIMIT: amountOf("OPS_SUPPORT_LIMIT"),
  OPS_SUPPORT_SUM: amountOf("OPS_SUPPORT_SUM"),
  OPS_URL: optional((value) => ownAddress.safeParse(value).success),
  OPS_EXPORTS: withDefault("OPS_EXPORTS").pipe(integer(0, 10_000)),
  OPS_LOG_TOKEN: matching(/^[\w.-]{32,200}$/),
  HSTS: withDefault("HSTS").pipe(z.enum(["host", "subdomains", "preload"])),
  SECURITY_CONTACT: matching(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/),
  OPS_SUPPORT_LOOKS: countOf("OPS_SUPPORT_LOOKS"),
  OPS_SUPPORT_NUMBERS: countOf("OPS_SUPPORT_NUMBERS"),
  OPS_SUPPORT_ACCESS: countOf("OPS_SUPPORT_ACCESS"),
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

function isBase64Url(text: string, length: number): boolean {
  return text.length === length && /^[\w-]+$/.test(text);
}

function splitList(text: string | undefined): string[] {
  const items = text?.split(",") ?? [];
  return items.map((item) => item.trim()).filter(Boolean);
}
