import { STRIPE_OPERATIONS } from "./stripe/operations.ts";

/**
 * Operations of the simulated services: the platform's by their names in the contract, `sendMessage` of the SMS
 * gateway, and Stripe's.
 */
export const OPERATIONS = [
  { operation: "createSession", method: "POST", path: /^\/v1\/sessions$/ },
  { operation: "endSession", method: "DELETE", path: /^\/v1\/sessions\/current$/ },
  { operation: "readSession", method: "GET", path: /^\/v1\/sessions\/[^/]+$/ },
  { operation: "answerOtp", method: "POST", path: /^\/v1\/sessions\/[^/]+\/otp$/ },
  { operation: "resendOtp", method: "POST", path: /^\/v1\/sessions\/[^/]+\/otp\/resend$/ },
  { operation: "refreshTokens", method: "POST", path: /^\/v1\/token$/ },
  { operation: "readDriver", method: "GET", path: /^\/v1\/driver$/ },
  { operation: "listWarehouses", method: "GET", path: /^\/v1\/warehouses$/ },
  { operation: "listOffers", method: "GET", path: /^\/v1\/offers$/ },
  { operation: "acceptOffer", method: "POST", path: /^\/v1\/offers\/[^/]+\/accept$/ },
  { operation: "listBlocks", method: "GET", path: /^\/v1\/blocks$/ },
  { operation: "forfeitBlock", method: "DELETE", path: /^\/v1\/blocks\/[^/]+$/ },
  { operation: "checkIn", method: "POST", path: /^\/v1\/blocks\/[^/]+\/check-in$/ },
  { operation: "readEarnings", method: "GET", path: /^\/v1\/earnings$/ },
  { operation: "sendMessage", method: "POST", path: /^\/2010-04-01\/Accounts\/[^/]+\/Messages\.json$/ },
  ...STRIPE_OPERATIONS,
] as const;

export type Operation = (typeof OPERATIONS)[number]["operation"];

export function operationOf(method: string, path: string): Operation | null {
  return OPERATIONS.find((call) => call.method === method && call.path.test(path))?.operation ?? null;
}

/** The faults that can be injected. */
export const FAULTS = [
  "401",
  "429",
  "400_rate_limited",
  "500",
  /** Stripe's 500 once execution has begun: it is stored under the idempotency key, and repeated. */
  "500_stored",
  /** The same where execution came to its effect: the money moved, and the key answers 500 for good. */
  "500_after_effect",
  "502",
  "503",
  "504",
  "timeout",
  "broken_json",
  "lost_answer",
  "empty",
  /** A gateway's answer, with the given status, headers and body, without an effect. */
  "gateway",
  /** The same answer after the effect. */
  "gateway_after_effect",
  /** A normal response in which every status and service type is a word that is not in the contract. */
  "unknown_words",
  /** A normal response in which one field, wherever it is, has another value, or is left out where none is given. */
  "changed_field",
  /** A list of offers with 10,000 more at its start, which pay nothing. */
  "long_list",
  /** A normal response, delayed. */
  "slow",
  /** A normal response, created immediately but held until it is released. */
  "held",
] as const;

export type FaultKind = (typeof FAULTS)[number];
