import { MIN_CHARGE_CENTS } from "../../db/shapes/money/currencies.ts";

/** What a setting is for, and the form that it must have. Shown where it is missing, malformed or contradictory. */
type SettingWords = { purpose: string; form: string };

const HOUR_AND_DAY =
  "two numbers as in 20/60, by the hour and by the day, the first no larger than the second";

/** Every setting. */
export const SETTING_WORDS = {
  PUBLIC_URL: {
    purpose: "the address at which drivers reach this deployment",
    form: "an http or https address",
  },
  PRODUCT_NAME: { purpose: "the product's name in pages and texts", form: "a text of at most 40 characters" },
  MASTER_KEYS: {
    purpose: "the keys from which all others are derived",
    form: "id:base64,id:base64, each key 32 bytes, the current one first",
  },
  LOST_MASTER_KEYS: {
    purpose: "the ids of master keys that are gone for good, with what they sealed",
    form: "a comma-separated list of ids",
  },
  PLATFORM_URL: { purpose: "the delivery platform's address", form: "an http or https address" },
  PLATFORM_REGION: {
    purpose: "where the drivers' objects stand, near the delivery platform",
    form: "one of wnam, enam, sam, weur, eeur, apac, oc, afr, me",
  },
  POLL_FLOOR_MS: {
    purpose: "the shortest interval of polls",
    form: "a whole number of milliseconds from 50 to 60000",
  },
  OFFER_HORIZON_HOURS: {
    purpose: "how far ahead the platform shows offers",
    form: "a whole number of hours from 1 to 168",
  },
  IDENTITY: { purpose: "the user pool that signs drivers in", form: "embedded or cognito" },
  COGNITO_POOL_ID: {
    purpose: "the user pool that signs drivers in",
    form: "a pool's id as in us-east-1_AbCdEf123",
  },
  COGNITO_CLIENT_ID: { purpose: "the app client of that user pool", form: "letters, digits, _ and +" },
  TWILIO_URL: { purpose: "the text gateway's address", form: "an http or https address" },
  TWILIO_ACCOUNT_SID: { purpose: "the account at the text gateway", form: "an id that begins with AC" },
  TWILIO_AUTH_TOKEN: { purpose: "the secret of that account", form: "a token without spaces" },
  TWILIO_FROM: {
    purpose: "who texts come from",
    form: "a number as in +15550100000, a short code, or a messaging service's id that begins with MG",
  },
  TEXT_COUNTRIES: {
    purpose: "the countries whose numbers get texts",
    form: "a comma-separated list of two-letter codes and of prefixes as in US,CA,+1938",
  },
  TEXTS_PER_NUMBER: { purpose: "the most codes that one number gets", form: HOUR_AND_DAY },
  TEXTS_PER_ACCOUNT: { purpose: "the most codes that one account causes", form: HOUR_AND_DAY },
  TEXTS_PER_NETWORK: {
    purpose: "the most codes that one IPv4 address or one /64 of IPv6 causes",
    form: HOUR_AND_DAY,
  },
  TEXTS_TO_NEW_NUMBERS: {
    purpose: "the most codes that the deployment sends to numbers that nobody proved yet",
    form: HOUR_AND_DAY,
  },
  TEXTS_TO_PROVED_NUMBERS: {
    purpose: "the most codes that the deployment sends to proved numbers",
    form: HOUR_AND_DAY,
  },
  TEXTS_TO_DRIVERS: {
    purpose: "the most texts about captures and the like that the deployment sends",
    form: HOUR_AND_DAY,
  },
  TEXTS_TO_INVITED_NUMBERS: {
    purpose: "the most invitations that the deployment texts to numbers that drivers entered",
    form: HOUR_AND_DAY,
  },
  TEXTS_PER_DRIVER: {
    purpose: "the most texts that a driver gets in a day, before one text in the evening tells of the rest",
    form: "a whole number from 1 to 1000",
  },
  TURNSTILE_URL: { purpose: "the address of Cloudflare Turnstile", form: "an http or https address" },
  TURNSTILE_SITE_KEY: {
    purpose: "the site key of the challenge before registering",
    form: "a key without spaces",
  },
  TURNSTILE_SECRET_KEY: {
    purpose: "the secret key of the challenge before registering",
    form: "a key without spaces",
  },
  STRIPE_URL: { purpose: "the card processor's address", form: "an http or https address" },
  STRIPE_SECRET_KEY: {
    purpose: "the server's key at the card processor",
    form: "a key that begins with sk_test_, sk_live_, rk_test_ or rk_live_",
  },
  STRIPE_PUBLISHABLE_KEY: {
    purpose: "the page's key at the card processor",
    form: "a key that begins with pk_test_ or pk_live_",
  },
  STRIPE_WEBHOOK_SECRETS: {
    purpose: "what the card processor signs its events with",
    form: "a comma-separated list of secrets that begin with whsec_",
  },
  BANK_FEE_RATE: { purpose: "the share of a charge that the bank takes", form: "a number from 0 to 0.5" },
  CURRENCY: {
    purpose: "the currency of prices",
    form: `one of ${Object.keys(MIN_CHARGE_CENTS).join(", ")}`,
  },
  PAYMENT_METHODS: {
    purpose: "the payment methods to offer",
    form: "Stripe's names, comma-separated, as in card,link",
  },
  STATEMENT_SUFFIX: {
    purpose: "what the card's statement shows after your Stripe account's prefix",
    form: "letters, digits, spaces, dots and hyphens, 12 at most and one letter at least",
  },
  SELLER_NAME: { purpose: "the seller's name on receipts", form: "one line of at most 200 characters" },
  SELLER_ADDRESS: { purpose: "the seller's address on receipts", form: "one line of at most 500 characters" },
  SELLER_TAX_ID: { purpose: "the seller's tax id on receipts", form: "one line of at most 50 characters" },
  TAX_NAME: { purpose: "the name of the tax that prices include", form: "a text of at most 30 characters" },
  TAX_RATE: { purpose: "the rate of the tax that prices include", form: "a number from 0 to 0.5" },
  SUPPORT_EMAIL: { purpose: "where drivers write to", form: "an e-mail address" },
  SUPPORT_PHONE: { purpose: "where drivers call", form: "a number as in +15550100000" },
  SUPPORT_WHATSAPP: {
    purpose: "the numbers that drivers reach by WhatsApp",
    form: "a comma-separated list of numbers as in +15550100000",
  },
  ANNOUNCEMENTS_URL: { purpose: "where announcements stand", form: "an http or https address" },
  MAINTENANCE: {
    purpose: "that the page and the API are closed for maintenance, and until when",
    form: "on, or an instant such as 2027-01-05T10:00Z",
  },
  TERMS_DATE: {
    purpose: "the day from which the terms of service hold, once they are reviewed",
    form: "a day as in 2027-01-05",
  },
  LEGACY_URL: { purpose: "the earlier site's address", form: "an http or https address" },
  CHATWOOT_URL: { purpose: "the address of the support chat (Chatwoot)", form: "an http or https address" },
  CHATWOOT_TOKEN: { purpose: "the website token of the support chat", form: "a token without spaces" },
  CHATWOOT_HMAC_KEY: {
    purpose: "what drivers' identities in the support chat are signed with",
    form: "a key without spaces",
  },
  CHAT_HIDDEN_PHONE: {
    purpose: "the one number that the support chat is hidden from",
    form: "a number as in +15550100000",
  },
  RECORDING_SCRIPT_URL: {
    purpose: "the script that records the sessions of drivers who agreed",
    form: "an http or https address",
  },
  RECORDING_TAG: {
    purpose: "what recorded sessions are tagged with",
    form: "at most 100 letters, digits, dots and dashes",
  },
  RECORDING_ORIGINS: {
    purpose: "where the session recorder has further scripts, and sends to",
    form: "a comma-separated list of origins as in https://*.example.com",
  },
  ACCESS_TEAM_DOMAIN: {
    purpose: "the team domain of Cloudflare Access, which lets operators in",
    form: "a host name as in your-team.cloudflareaccess.com",
  },
  ACCESS_AUD: {
    purpose: "the application at Cloudflare Access that stands before the console",
    form: "the application's audience tag",
  },
  OPS_OWNERS: {
    purpose: "who may do everything in the console",
    form: "a comma-separated list of e-mail addresses and of client ids of service tokens, which end with .access",
  },
  OPS_SUPPORT: {
    purpose: "who helps drivers in the console, with a limit on money",
    form: "a comma-separated list of e-mail addresses and of client ids of service tokens, which end with .access",
  },
  OPS_SUPPORT_LIMIT: {
    purpose: "the most money that support moves for one driver in a day",
    form: "an amount in the deployment's currency as in 50 or 50.00",
  },
  VAPID_PUBLIC_KEY: {
    purpose: "the public key that browser notifications are signed for",
    form: "Base64url of 65 bytes",
  },
  VAPID_PRIVATE_KEY: {
    purpose: "the private key of browser notifications",
    form: "Base64url of 32 bytes",
  },
  VAPID_SUBJECT: {
    purpose: "whom push services reach about browser notifications",
    form: "a mailto: or https: address",
  },
  PUSH_HOSTS: {
    purpose: "push services beside those of Chrome, Firefox, Edge and Safari",
    form: "a comma-separated list of host names",
  },
} as const satisfies Record<string, SettingWords>;

/** The name of a setting. */
export type SettingName = keyof typeof SETTING_WORDS;
