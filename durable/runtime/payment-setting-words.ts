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
