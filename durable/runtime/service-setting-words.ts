import { MIN_CHARGE_CENTS } from "../../db/shapes/money/currencies.ts";

/** The settings of cards, prices and receipts, with their words. */
export const PAYMENT_SETTINGS = {
  STRIPE_URL: {
    purpose: "the card processor's address",
    form: "an http or https address",
    default: "https://api.stripe.com",
  },
  STRIPE_SECRET_KEY: {
    purpose: "the server's key at the card processor",
    form: "a key that begins with sk_test_, sk_live_, rk_test_ or rk_live_",
    isSecret: true,
    unset: "no card payments; points still pay for a whole plan",
  },
  STRIPE_PUBLISHABLE_KEY: {
    purpose: "the page's key at the card processor",
    form: "a key that begins with pk_test_ or pk_live_",
  },
  STRIPE_WEBHOOK_SECRETS: {
    purpose: "the secrets that sign the card processor's events",
    form: "a comma-separated list of secrets that begin with whsec_",
    isSecret: true,
    unset: "refuses events with 503",
  },
  CURRENCY: {
    purpose: "the currency of prices",
    form: `one of ${Object.keys(MIN_CHARGE_CENTS).join(", ")}`,
    default: "USD",
  },
  LIST_PRICES: {
    purpose: "the prices that plans start with in a currency other than USD, until the console sets others",
    form: "an amount for each plan as in 3days=699.00,7days=999.00,14days=1799.00,30days=3399.00",
  },
  BANK_FEE_RATE: {
    purpose: "the share of a charge that the bank takes",
    form: "a number from 0 to 0.5",
    default: "0.007",
  },
  PAYMENT_METHODS: {
    purpose: "the payment methods to offer",
    form: "Stripe's names, comma-separated, as in card,link",
    default: "card,link",
    note: "wallets come with card; a bank debit blocks other payments for days",
  },
  STATEMENT_SUFFIX: {
    purpose: "the text on the card's statement after your Stripe account's prefix",
    form: "letters, digits, spaces, dots and hyphens, 12 at most and one letter at least",
    default: "SERVICE",
  },
  SELLER_NAME: {
    purpose: "the seller's name on receipts",
    form: "one line of at most 200 characters",
    unset: "the product's name",
  },
  SELLER_ADDRESS: { purpose: "the seller's address on receipts", form: "one line of at most 500 characters" },
  SELLER_TAX_ID: { purpose: "the seller's tax id on receipts", form: "one line of at most 50 characters" },
  TAX_NAME: { purpose: "the name of the tax that prices include", form: "a text of at most 30 characters" },
  TAX_RATE: {
    purpose: "the rate of the tax that prices include",
    form: "a number from 0 to 0.5",
    default: "0",
    note: "needs TAX_NAME",
  },
} as const;

const HOUR_AND_DAY =
  "two numbers as in 20/60, by the hour and by the day, the first no larger than the second";

/** The settings of the text gateway and of how many texts it sends, with their words. */
export const TEXT_SETTINGS = {
  TWILIO_URL: {
    purpose: "the text gateway's address",
    form: "an http or https address",
    default: "https://api.twilio.com",
  },
  TWILIO_ACCOUNT_SID: {
    purpose: "the account at the text gateway",
    form: "an id that begins with AC",
    unset: "no texts and so no codes: nobody can register",
  },
  TWILIO_AUTH_TOKEN: {
    purpose: "the secret of that account",
    form: "a token without spaces, or two with a comma between them: texts are sent by the first, and either signs what comes in",
    isSecret: true,
  },
  TWILIO_FROM: {
    purpose: "the sender of texts",
    form: "a number as in +15550100000, a short code, or a messaging service's id that begins with MG",
  },
  TEXT_COUNTRIES: {
    purpose: "the countries whose numbers get texts",
    form: "a comma-separated list of two-letter codes and of prefixes as in US,CA,+1938",
    default: "US,CA",
    note: "a prefix names a new area code",
  },
  TEXTS_PER_NUMBER: {
    purpose: "the most codes that one number gets",
    form: HOUR_AND_DAY,
    default: "5/10",
  },
  TEXTS_PER_ACCOUNT: {
    purpose: "the most codes that one account causes",
    form: HOUR_AND_DAY,
    default: "8/20",
  },
  TEXTS_PER_NETWORK: {
    purpose: "the most codes that one IPv4 address or one /64 of IPv6 causes",
    form: HOUR_AND_DAY,
    default: "20/60",
  },
  TEXTS_TO_NEW_NUMBERS: {
    purpose: "the most codes that the deployment sends to numbers that nobody proved yet",
    form: HOUR_AND_DAY,
    default: "200/1000",
  },
  TEXTS_TO_PROVED_NUMBERS: {
    purpose: "the most codes that the deployment sends to proved numbers",
    form: HOUR_AND_DAY,
    default: "200/1000",
  },
  TEXTS_TO_DRIVERS: {
    purpose: "the most texts about captures and the like that the deployment sends",
    form: HOUR_AND_DAY,
    default: "2000/20000",
  },
  TEXTS_TO_INVITED_NUMBERS: {
    purpose: "the most invitations that the deployment texts to numbers that drivers entered",
    form: HOUR_AND_DAY,
    default: "100/500",
  },
  TEXTS_PER_DRIVER: {
    purpose: "the most texts that a driver gets in a day, before one text in the evening sums up the rest",
    form: "a whole number from 1 to 1000",
    default: "20",
  },
} as const;
