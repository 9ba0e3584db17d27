import type { Call } from "./calls/call.ts";
import { CHARGE_CALLS } from "./calls/charges.ts";
import { CUSTOMER_CALLS } from "./calls/customers.ts";
import { DISPUTE_CALLS } from "./calls/disputes.ts";
import { EVENT_CALLS } from "./calls/events.ts";
import { INTENT_CALLS } from "./calls/intents.ts";
import { METHOD_CALLS } from "./calls/methods.ts";
import { REFUND_CALLS } from "./calls/refunds.ts";
import { TRANSACTION_CALLS } from "./calls/transactions.ts";
import { WARNING_CALLS } from "./calls/warnings.ts";
import type { StripeOperation } from "./operations.ts";

type ServerOperation = Exclude<StripeOperation, `${string}InBrowser`>;

/** The calls of the shop's server, with the secret key. */
export const SERVER_CALLS: Record<ServerOperation, Call> = {
  ...CUSTOMER_CALLS,
  ...METHOD_CALLS,
  ...INTENT_CALLS,
  ...CHARGE_CALLS,
  ...REFUND_CALLS,
  ...DISPUTE_CALLS,
  ...WARNING_CALLS,
  ...TRANSACTION_CALLS,
  ...EVENT_CALLS,
};
