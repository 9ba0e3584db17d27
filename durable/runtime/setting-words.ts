import { QUICKNET } from "../../db/shapes/money/beacon.ts";
import { PAYMENT_SETTINGS, TEXT_SETTINGS } from "./service-setting-words.ts";

/** The words of a setting, for the log of a refused start and for SETTINGS.md. */
type SettingWords = {
  /** Completes 'It is …'. */
  purpose: string;
  /** Completes 'It must be …'. */
  form: string;
  /** The value of a deployment that doesn't set it, as one would write it. */
  default?: string;
  /** Without a default: the effect of leaving it out. */
  unset?: string;
  isRequired?: true;
  /** Belongs among the Worker's secrets, not in wrangler.toml. */
  isSecret?: true;
  note?: string;
};

const URL_FORM = "an http or https address";
const NUMBER_FORM = "a number as in +15550100000";
const OPERATORS_FORM =
  "a comma-separated list of e-mail addresses and of client ids of service tokens, which end with .access";

/** Every setting, by topic. */
export const SETTING_TOPICS = {
  "The deployment": {
    PUBLIC_URL: {
      purpose: "the address at which drivers reach this deployment",
      form: "an http or https address without a path",
      isRequired: true,
    },
    PRODUCT_NAME: {
      purpose: "the product's name in pages and texts",
      form: "a text of at most 40 characters",
      default: "Jornada",
    },
    MASTER_KEYS: {
      purpose: "the keys from which all others are derived",
      form: "id:base64,id:base64, each key 32 bytes, the current one first",
      isRequired: true,
      isSecret: true,
      note: "the others still open what they sealed",
    },
    LOST_MASTER_KEYS: {
      purpose: "the ids of master keys that are gone for good, with what they sealed",
      form: "a comma-separated list of ids",
    },
    MAINTENANCE: {
      purpose: "the switch that closes page and API for maintenance, and until when",
      form: "on, or an instant such as 2027-01-05T10:00Z",
      unset: "open",
    },
    TERMS_DATE: {
      purpose: "the day from which the terms of service hold, once they are reviewed",
      form: "a day as in 2027-01-05",
      unset: "/terms says that it is a template",
    },
    ALERT_URL: {
      purpose: "the address that operators' alerts are sent to",
      form: URL_FORM,
      isSecret: true,
      unset: "alerts show in health and in the console alone",
    },
    ALERT_FORM: {
      purpose: "the form of operators' alerts",
      form: "one of webhook, slack, pagerduty, email",
      default: "webhook",
    },
    ALERT_KEY: {
      purpose: "the key that signs a webhook, PagerDuty's routing key, or the e-mail gateway's token",
      form: "a text without spaces",
      isSecret: true,
    },
    HSTS: {
      purpose:
        "how far browsers extend https: to this host, to its subdomains, or also ahead of the first visit",
      form: "one of host, subdomains, preload",
      default: "host",
      note: "preload is hard to take back: see hstspreload.org",
    },
    SECURITY_CONTACT: {
      purpose: "where to report a security problem, in /.well-known/security.txt",
      form: "a mailto: or https: address",
      unset: "the e-mail address of support",
    },
    DRAND_URL: {
      purpose: "the address of the public beacon that raffles are drawn with, with the hash of its chain",
      form: URL_FORM,
      default: QUICKNET.url,
    },
    DRAND_PUBLIC_KEY: {
      purpose: "the public key of that chain",
      form: "192 hex digits",
      unset: "drand's quicknet",
      note: "for tests: its rounds must be at quicknet's times, and the raffle's page says that it is another chain",
    },
    LEGACY_URL: { purpose: "the earlier site's address", form: URL_FORM },
  },
  "The delivery platform": {
    PLATFORM_URL: { purpose: "the delivery platform's address", form: URL_FORM, isRequired: true },
    PLATFORM_REGION: {
      purpose: "the region of the drivers' objects, near the delivery platform",
      form: "one of wnam, enam, sam, weur, eeur, apac, oc, afr, me",
      default: "enam",
      note: "a change gives every driver a new, empty object",
    },
    POLL_FLOOR_MS: {
      purpose: "the shortest mean interval of polls",
      form: "a whole number of milliseconds from 50 to 60000",
      default: "1000",
      note: "single gaps vary by 15 %",
    },
    WATCHERS: {
      purpose: "how many objects watch over the drivers' objects",
      form: "a whole number from 1 to 256",
      default: "16",
      note: "one for each thousand drivers is plenty; a change moves the watch within three minutes",
    },
    TICKERS: {
      purpose: "how many objects call drivers' objects for their polls, which costs less than an alarm each",
      form: "a whole number from 0 to 2000",
      default: "1",
      note: "one takes a thousand, and others keep their alarms; 0: an alarm each, which costs less for fewer than a dozen drivers at work",
    },
    DAYS_BACK_MINUTES: {
      purpose:
        "how much of a driver's day must be lost through no doing of theirs to be given back as service",
      form: "a whole number of minutes from 10 to 1440, or off",
      default: "60",
      note: "the terms say it; where it is off, change the words of the questions and the landing page, too",
    },
    OFFER_HORIZON_HOURS: {
      purpose: "how far ahead the platform shows offers",
      form: "a whole number of hours from 1 to 168",
      default: "24",
    },
    GIVE_BACK_MINUTES: {
      purpose: "how long before its start the platform last takes a block back without a mark",
      form: "a whole number of minutes from 0 to 1440",
      default: "45",
    },
    GIVE_BACK_URL: {
      purpose: "the platform's page or app on which drivers give blocks back, which a block links to",
      form: URL_FORM,
      unset: "a block names the platform's app, without a link",
    },
  },
  "Sign-in": {
    IDENTITY: {
      purpose: "the kind of user pool that signs drivers in",
      form: "embedded or cognito",
      default: "embedded",
      note: "cognito needs the two settings below; a change leaves every account and its paid days behind",
    },
    COGNITO_POOL_ID: {
      purpose: "the user pool that signs drivers in",
      form: "a pool's id as in us-east-1_AbCdEf123",
    },
    COGNITO_CLIENT_ID: { purpose: "the app client of that user pool", form: "letters, digits, _ and +" },
    TURNSTILE_URL: {
      purpose: "the address of Cloudflare Turnstile",
      form: URL_FORM,
      default: "https://challenges.cloudflare.com",
    },
    TURNSTILE_SITE_KEY: {
      purpose:
        "the site key of the challenge before registering, and before a code once a ceiling of texts is reached",
      form: "a key without spaces",
      unset: "no challenge",
    },
    TURNSTILE_SECRET_KEY: {
      purpose: "the secret key of the challenge before registering",
      form: "a key without spaces",
      isSecret: true,
    },
  },
  Texts: TEXT_SETTINGS,
  Payments: PAYMENT_SETTINGS,
  "Browser notifications": {
    VAPID_PUBLIC_KEY: {
      purpose: "the public key that browser notifications are signed for",
      form: "Base64url of 65 bytes",
      unset: "no notifications are offered",
    },
    VAPID_PRIVATE_KEY: {
      purpose: "the private key of browser notifications",
      form: "Base64url of 32 bytes",
      isSecret: true,
    },
    VAPID_SUBJECT: {
      purpose: "the contact that push services use about browser notifications",
      form: "a mailto: or https: address",
    },
    PUSH_HOSTS: {
      purpose: "the push services that browsers may name beside those of Chrome, Firefox, Edge and Safari",
      form: "a comma-separated list of host names",
    },
  },
  Operators: {
    ACCESS_TEAM_DOMAIN: {
      purpose: "the team domain of Cloudflare Access, which lets operators in",
      form: "a host name as in your-team.cloudflareaccess.com",
      unset: "no console",
    },
    ACCESS_AUD: {
      purpose: "the application at Cloudflare Access that protects the console",
      form: "the application's audience tag",
    },
    OPS_OWNERS: { purpose: "the operators who may do everything in the console", form: OPERATORS_FORM },
    OPS_SUPPORT: {
      purpose: "the operators who help drivers in the console, with a limit on money",
      form: OPERATORS_FORM,
    },
    OPS_SUPPORT_LIMIT: {
      purpose: "the most money that support moves for one driver in a day",
      form: "an amount in the deployment's currency as in 50 or 50.00",
      default: "50",
    },
    OPS_SUPPORT_SUM: {
      purpose: "the most money that one operator of support moves for all drivers in a day",
      form: "an amount in the deployment's currency as in 500 or 500.00",
      default: "500",
    },
    OPS_URL: {
      purpose: "the console's own address, on a host that drivers don't use",
      form: "an http or https address without a path",
      unset:
        "the console is at /ops of drivers' address; chat and recording are off, since their scripts would share its origin",
    },
    OPS_EXPORTS: {
      purpose: "how many exports one operator makes in a day",
      form: "a whole number",
      default: "20",
    },
    OPS_LOG_TOKEN: {
      purpose: "the token with which somebody follows the log of operators' acts, as a feed at /ops/log",
      form: "32 to 200 letters, digits, dots and dashes",
      isSecret: true,
      unset: "no feed",
    },
    OPS_SUPPORT_LOOKS: {
      purpose: "how many phone numbers one operator of support looks at in a day",
      form: "a whole number",
      default: "50",
    },
    OPS_SUPPORT_NUMBERS: {
      purpose: "how many drivers one operator of support gives another phone number in a day",
      form: "a whole number",
      default: "5",
    },
    OPS_SUPPORT_ACCESS: {
      purpose:
        "how often one operator of support signs a driver out, unlinks, disables, unlocks or ends a renewal in a day",
      form: "a whole number",
      default: "50",
    },
  },
  "Support, chat and recording": {
    SUPPORT_EMAIL: { purpose: "the e-mail address of support", form: "an e-mail address" },
    SUPPORT_PHONE: { purpose: "the phone number of support", form: NUMBER_FORM },
    SUPPORT_WHATSAPP: {
      purpose: "the numbers that drivers reach by WhatsApp",
      form: "a comma-separated list of numbers as in +15550100000",
    },
    ANNOUNCEMENTS_URL: { purpose: "the page with announcements", form: URL_FORM },
    CHATWOOT_URL: {
      purpose: "the address of the support chat (Chatwoot)",
      form: URL_FORM,
      unset: "no chat",
      note: "with a console, it needs OPS_URL",
    },
    CHATWOOT_TOKEN: { purpose: "the website token of the support chat", form: "a token without spaces" },
    CHATWOOT_HMAC_KEY: {
      purpose: "the key that signs drivers' identities in the support chat",
      form: "a key without spaces",
      isSecret: true,
    },
    CHATWOOT_ACCOUNT_ID: {
      purpose: "the number of your account at the support chat",
      form: "a number, as in the chat's addresses",
      unset:
        "a deleted account's contact stays at the chat, a changed number starts a new conversation, and what a sign-in was given there outlives it",
    },
    CHATWOOT_API_TOKEN: {
      purpose: "the access token of an administrator of the support chat, which deletes and renames contacts",
      form: "a token without spaces",
      isSecret: true,
    },
    CHAT_HIDDEN_PHONE: {
      purpose: "the one number that the support chat is hidden from",
      form: NUMBER_FORM,
    },
    RECORDING_SCRIPT_URL: {
      purpose: "the script that records the sessions of drivers who agreed",
      form: URL_FORM,
      unset: "no recording",
      note: "Microsoft Clarity: https://www.clarity.ms/tag/<project>. With a console, it needs OPS_URL",
    },
    RECORDING_TAG: {
      purpose: "the tag of recorded sessions",
      form: "at most 100 letters, digits, dots and dashes",
      unset: "the product's name in lower case",
    },
    RECORDING_ORIGINS: {
      purpose: "the origins from which the session recorder loads further scripts, and to which it sends",
      form: "a comma-separated list of origins as in https://*.example.com",
      note: "Microsoft Clarity: https://*.clarity.ms",
    },
  },
} as const satisfies Record<string, Record<string, SettingWords>>;

/** Every setting by its name. */
export const SETTING_WORDS = {
  ...SETTING_TOPICS["The deployment"],
  ...SETTING_TOPICS["The delivery platform"],
  ...SETTING_TOPICS["Sign-in"],
  ...SETTING_TOPICS.Texts,
  ...SETTING_TOPICS.Payments,
  ...SETTING_TOPICS["Browser notifications"],
  ...SETTING_TOPICS.Operators,
  ...SETTING_TOPICS["Support, chat and recording"],
};

/** The name of a setting. */
export type SettingName = keyof typeof SETTING_WORDS;

/** The name of a setting that has a default. */
export type DefaultedSetting = {
  [Name in SettingName]: (typeof SETTING_WORDS)[Name] extends { default: string } ? Name : never;
}[SettingName];

/** Settings of which either all are set or none is. */
export const SETTING_GROUPS = [
  ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"],
  ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"],
  ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"],
  ["CHATWOOT_URL", "CHATWOOT_TOKEN", "CHATWOOT_HMAC_KEY"],
  ["CHATWOOT_ACCOUNT_ID", "CHATWOOT_API_TOKEN"],
  ["ACCESS_TEAM_DOMAIN", "ACCESS_AUD"],
] as const satisfies readonly (readonly SettingName[])[];
