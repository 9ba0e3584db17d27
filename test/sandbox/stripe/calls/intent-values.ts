import { malformed, refuse } from "../refusal.ts";
import type { Intent } from "../shapes.ts";

/** Parameters for creating and updating an intent. */
export const INTENT = {
  amount: "integer",
  currency: "string",
  customer: "string",
  description: "string",
  metadata: "metadata",
  payment_method: "string",
  receipt_email: "string",
  setup_future_usage: ["on_session", "off_session"],
  shipping: "any",
  statement_descriptor: "string",
  statement_descriptor_suffix: "string",
  payment_method_options: "any",
  allowed_payment_method_types: "list",
  expand: "list",
} as const;

/** Parameters for confirming an intent. */
export const CONFIRM = {
  payment_method: "string",
  return_url: "string",
  receipt_email: "string",
  off_session: "boolean",
  use_stripe_sdk: "boolean",
  expand: "list",
} as const;

const SMALLEST = 50;
const LARGEST = 99_999_999;

/** An intent that allows methods with redirects needs a return URL; one for cards only doesn't. */
export function checkReturn(intent: Intent, returnUrl: string | undefined): string | null {
  if (returnUrl !== undefined && !URL.canParse(returnUrl))
    throw malformed("Not a valid URL", { code: "url_invalid", param: "return_url" });
  if (returnUrl === undefined && intent.automatic?.enabled && intent.automatic.allowRedirects === "always") {
    throw refuse(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
    );
  }
  return returnUrl ?? null;
}

export function checkAmount(amount: number): number {
  if (amount < 1)
    throw malformed("This value must be greater than or equal to 1.", {
      code: "parameter_invalid_integer",
      param: "amount",
    });
  if (amount < SMALLEST)
    throw malformed("Amount must be at least $0.50 usd", { code: "amount_too_small", param: "amount" });
  if (amount > LARGEST)
    throw malformed("Amount must be no more than $999,999.99", { code: "amount_too_large", param: "amount" });
  return amount;
}

export function checkCurrency(currency: string): string {
  const lower = currency.toLowerCase();
  if (!/^[a-z]{3}$/.test(lower) || !Intl.supportedValuesOf("currency").includes(lower.toUpperCase()))
    throw malformed(`Invalid currency: ${lower}.`, { param: "currency" });
  return lower;
}

type IntentTexts = Pick<
  Intent,
  "description" | "receiptEmail" | "statementDescriptor" | "statementDescriptorSuffix"
>;
const NO_TEXTS: IntentTexts = {
  description: null,
  receiptEmail: null,
  statementDescriptor: null,
  statementDescriptorSuffix: null,
};

export function intentTexts(
  given: {
    description?: string | undefined;
    receipt_email?: string | undefined;
    statement_descriptor?: string | undefined;
    statement_descriptor_suffix?: string | undefined;
  },
  before: IntentTexts = NO_TEXTS,
): IntentTexts {
  const chosen = (text: string | undefined, kept: string | null) =>
    text === undefined ? kept : text || null;
  if (given.receipt_email && !/^[^\s@]+@[^\s@]+$/.test(given.receipt_email))
    throw malformed(`Invalid email address: ${given.receipt_email}`, {
      code: "email_invalid",
      param: "receipt_email",
    });
  for (const param of ["statement_descriptor", "statement_descriptor_suffix"] as const) {
    if ((given[param]?.length ?? 0) > 22)
      throw malformed("The statement descriptor must be at most 22 characters.", { param });
  }
  return {
    description: chosen(given.description, before.description),
    receiptEmail: chosen(given.receipt_email, before.receiptEmail),
    statementDescriptor: chosen(given.statement_descriptor, before.statementDescriptor),
    statementDescriptorSuffix: chosen(given.statement_descriptor_suffix, before.statementDescriptorSuffix),
  };
}
