/** The simulated operations of Stripe's API. Those under /sandbox are called by stripe.js in a browser. */
export const STRIPE_OPERATIONS = [
  { operation: "createCustomer", method: "POST", path: /^\/v1\/customers$/ },
  { operation: "readCustomer", method: "GET", path: /^\/v1\/customers\/([^/]+)$/ },
  { operation: "updateCustomer", method: "POST", path: /^\/v1\/customers\/([^/]+)$/ },
  { operation: "deleteCustomer", method: "DELETE", path: /^\/v1\/customers\/([^/]+)$/ },
  {
    operation: "listCustomerMethods",
    method: "GET",
    path: /^\/v1\/customers\/([^/]+)\/payment_methods$/,
  },
  { operation: "createCustomerSession", method: "POST", path: /^\/v1\/customer_sessions$/ },
  { operation: "readPaymentMethod", method: "GET", path: /^\/v1\/payment_methods\/([^/]+)$/ },
  { operation: "detachPaymentMethod", method: "POST", path: /^\/v1\/payment_methods\/([^/]+)\/detach$/ },
  { operation: "createPaymentIntent", method: "POST", path: /^\/v1\/payment_intents$/ },
  { operation: "listPaymentIntents", method: "GET", path: /^\/v1\/payment_intents$/ },
  { operation: "readPaymentIntent", method: "GET", path: /^\/v1\/payment_intents\/([^/]+)$/ },
  { operation: "updatePaymentIntent", method: "POST", path: /^\/v1\/payment_intents\/([^/]+)$/ },
  { operation: "confirmPaymentIntent", method: "POST", path: /^\/v1\/payment_intents\/([^/]+)\/confirm$/ },
  { operation: "cancelPaymentIntent", method: "POST", path: /^\/v1\/payment_intents\/([^/]+)\/cancel$/ },
  { operation: "readCharge", method: "GET", path: /^\/v1\/charges\/([^/]+)$/ },
  { operation: "createRefund", method: "POST", path: /^\/v1\/refunds$/ },
  { operation: "listRefunds", method: "GET", path: /^\/v1\/refunds$/ },
  { operation: "readRefund", method: "GET", path: /^\/v1\/refunds\/([^/]+)$/ },
  { operation: "listDisputes", method: "GET", path: /^\/v1\/disputes$/ },
  { operation: "readDispute", method: "GET", path: /^\/v1\/disputes\/([^/]+)$/ },
  { operation: "listTransactions", method: "GET", path: /^\/v1\/balance_transactions$/ },
  { operation: "readPayout", method: "GET", path: /^\/v1\/payouts\/([^/]+)$/ },
  { operation: "listWarnings", method: "GET", path: /^\/v1\/radar\/early_fraud_warnings$/ },
  { operation: "readWarning", method: "GET", path: /^\/v1\/radar\/early_fraud_warnings\/([^/]+)$/ },
  { operation: "listEvents", method: "GET", path: /^\/v1\/events$/ },
  { operation: "readEvent", method: "GET", path: /^\/v1\/events\/([^/]+)$/ },
  { operation: "listWebhookEndpoints", method: "GET", path: /^\/v1\/webhook_endpoints$/ },
  { operation: "readInBrowser", method: "GET", path: /^\/sandbox\/stripe\/v1\/payment_intents\/([^/]+)$/ },
  {
    operation: "confirmInBrowser",
    method: "POST",
    path: /^\/sandbox\/stripe\/v1\/payment_intents\/([^/]+)\/confirm$/,
  },
  {
    operation: "readSessionInBrowser",
    method: "GET",
    path: /^\/sandbox\/stripe\/v1\/customer_sessions\/([^/]+)$/,
  },
  {
    operation: "detachInBrowser",
    method: "POST",
    path: /^\/sandbox\/stripe\/v1\/payment_methods\/([^/]+)\/detach$/,
  },
] as const;

export type StripeOperation = (typeof STRIPE_OPERATIONS)[number]["operation"];

const RESOURCES =
  /^(\/sandbox\/stripe)?\/v1\/(customers|customer_sessions|payment_methods|payment_intents|charges|refunds|disputes|balance_transactions|payouts|radar|events|webhook_endpoints)(\/|$)/;

/** Whether a path is Stripe's. The delivery platform has other resources under the same /v1. */
export const isStripePath = (path: string): boolean => RESOURCES.test(path);

/** The operation of a method and path, and the id in the path. */
export function stripeCallOf(
  method: string,
  path: string,
): { operation: StripeOperation; id: string } | null {
  for (const call of STRIPE_OPERATIONS) {
    const found = call.method === method ? call.path.exec(path) : null;
    if (found) return { operation: call.operation, id: found[1] ?? "" };
  }
  return null;
}
