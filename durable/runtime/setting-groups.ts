import type { SettingName } from "./setting-words.ts";

/** Parts of the deployment that stop alone where one of their settings is malformed, and what stops with them. */
export const SETTING_PARTS = {
  core: "everything",
  capture: "linking and captures",
  sign_in: "signing in, and every call of a driver",
  registering: "registering with a new number",
  texts: "texts, and with them codes",
  cards: "card payments and renewals",
  notifications: "browser notifications",
  console: "the console",
  alerts: "messages to operators",
  maintenance: "page and API: the deployment counts as closed",
  chat: "the support chat",
  recording: "recording",
  raffles: "closing the entries of raffles, and fetching the beacon of a draw",
  contacts: "nothing else: the one that is malformed counts as not set",
} as const;

/** The name of a part. */
export type SettingPart = keyof typeof SETTING_PARTS;

/** The part that each setting belongs to. Every amount of money is in the one currency, so nothing works without it. */
export const PART_OF = {
  PUBLIC_URL: "core",
  MASTER_KEYS: "core",
  LOST_MASTER_KEYS: "core",
  CURRENCY: "core",
  PLATFORM_URL: "capture",
  PLATFORM_REGION: "capture",
  POLL_FLOOR_MS: "capture",
  WATCHERS: "capture",
  TICKERS: "capture",
  DAYS_BACK_MINUTES: "capture",
  OFFER_HORIZON_HOURS: "capture",
  GIVE_BACK_MINUTES: "capture",
  GIVE_BACK_URL: "contacts",
  IDENTITY: "sign_in",
  COGNITO_POOL_ID: "sign_in",
  COGNITO_CLIENT_ID: "sign_in",
  TURNSTILE_URL: "registering",
  TURNSTILE_SITE_KEY: "registering",
  TURNSTILE_SECRET_KEY: "registering",
  TWILIO_URL: "texts",
  TWILIO_ACCOUNT_SID: "texts",
  TWILIO_AUTH_TOKEN: "texts",
  TWILIO_FROM: "texts",
  TEXT_COUNTRIES: "texts",
  TEXTS_PER_NUMBER: "texts",
  TEXTS_PER_ACCOUNT: "texts",
  TEXTS_PER_NETWORK: "texts",
  TEXTS_TO_NEW_NUMBERS: "texts",
  TEXTS_TO_PROVED_NUMBERS: "texts",
  TEXTS_TO_DRIVERS: "texts",
  TEXTS_TO_INVITED_NUMBERS: "texts",
  TEXTS_PER_DRIVER: "texts",
  STRIPE_URL: "cards",
  STRIPE_SECRET_KEY: "cards",
  STRIPE_PUBLISHABLE_KEY: "cards",
  STRIPE_WEBHOOK_SECRETS: "cards",
  BANK_FEE_RATE: "cards",
  LIST_PRICES: "cards",
  PAYMENT_METHODS: "cards",
  STATEMENT_SUFFIX: "cards",
  SELLER_NAME: "cards",
  SELLER_ADDRESS: "cards",
  SELLER_TAX_ID: "cards",
  TAX_NAME: "cards",
  TAX_RATE: "cards",
  VAPID_PUBLIC_KEY: "notifications",
  VAPID_PRIVATE_KEY: "notifications",
  VAPID_SUBJECT: "notifications",
  PUSH_HOSTS: "notifications",
  ACCESS_TEAM_DOMAIN: "console",
  ACCESS_AUD: "console",
  OPS_OWNERS: "console",
  OPS_SUPPORT: "console",
  OPS_SUPPORT_LIMIT: "console",
  OPS_SUPPORT_SUM: "console",
  OPS_SUPPORT_LOOKS: "console",
  OPS_SUPPORT_NUMBERS: "console",
  OPS_SUPPORT_ACCESS: "console",
  OPS_URL: "console",
  OPS_EXPORTS: "console",
  OPS_LOG_TOKEN: "console",
  HSTS: "contacts",
  SECURITY_CONTACT: "contacts",
  ALERT_URL: "alerts",
  ALERT_FORM: "alerts",
  ALERT_KEY: "alerts",
  MAINTENANCE: "maintenance",
  CHATWOOT_URL: "chat",
  CHATWOOT_TOKEN: "chat",
  CHATWOOT_HMAC_KEY: "chat",
  CHATWOOT_ACCOUNT_ID: "chat",
  CHATWOOT_API_TOKEN: "chat",
  CHAT_HIDDEN_PHONE: "chat",
  RECORDING_SCRIPT_URL: "recording",
  RECORDING_TAG: "recording",
  RECORDING_ORIGINS: "recording",
  DRAND_URL: "raffles",
  DRAND_PUBLIC_KEY: "raffles",
  PRODUCT_NAME: "contacts",
  TERMS_DATE: "contacts",
  LEGACY_URL: "contacts",
  SUPPORT_EMAIL: "contacts",
  SUPPORT_PHONE: "contacts",
  SUPPORT_WHATSAPP: "contacts",
  ANNOUNCEMENTS_URL: "contacts",
} as const satisfies Record<SettingName, SettingPart>;

/** A setting that is missing, malformed or contradictory, in words that never hold its value. */
export type SettingProblem = { name: SettingName; part: SettingPart; problem: string };

/** The malformed settings of each part that stops, by the name of its alert. */
export function settingReasons(problems: readonly SettingProblem[]): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const { part, name } of problems) {
    const alert = `settings.${part}`;
    reasons[alert] = reasons[alert] ? `${reasons[alert]}, ${name}` : name;
  }
  return reasons;
}
