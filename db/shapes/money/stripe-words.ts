/** The events after which a payment is settled; the card processor is told to send these. */
export const HANDLED_EVENTS: ReadonlySet<string> = new Set([
  "payment_intent.succeeded",
  "payment_intent.processing",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "radar.early_fraud_warning.created",
  "radar.early_fraud_warning.updated",
]);

/**
 * The payment methods that Stripe can charge an intent to, by its names: `payment_method_types` of its API as of
 * 2026-10-28. A name that it does not know would be refused with each payment.
 */
export const PAYMENT_METHODS: ReadonlySet<string> = new Set(
  `acss_debit affirm afterpay_clearpay alipay alma amazon_pay au_becs_debit bacs_debit bancontact billie blik boleto card
  cashapp crypto customer_balance eps fpx giropay grabpay ideal klarna konbini kr_card link mobilepay multibanco naver_pay
  nz_bank_account oxxo p24 pay_by_bank payco paynow paypal pix promptpay revolut_pay samsung_pay satispay sepa_debit sofort
  swish twint us_bank_account wechat_pay zip`.split(/\s+/),
);
