import { Stripe } from "stripe";
import { openSandboxHarness } from "../platform/sandbox-harness.ts";

export const SECRET = "whsec_sandbox";

/** An event as the sandbox lists it: with body and signature, so that a test without a server can post it itself. */
export type ListedEvent = {
  id: string;
  type: string;
  post: string;
  tries: { status: number | null }[];
  body: string;
  signature: string;
};

export type ReceivedRequest = {
  from: string;
  method: string;
  path: string;
  params: Record<string, unknown>;
  headers: Record<string, string>;
  status: number;
};

/** A running sandbox and Stripe's own library configured for it. */
export async function openStripeHarness() {
  const harness = await openSandboxHarness();
  const { hostname, port } = new URL(harness.server.url);

  const connect = (key = "sk_test_sandbox", config: Partial<Stripe.StripeConfig> = {}) =>
    new Stripe(key, {
      host: hostname,
      port,
      protocol: "http",
      httpClient: Stripe.createFetchHttpClient(),
      maxNetworkRetries: 0,
      telemetry: false,
      ...config,
    });
  const stripe = connect();

  const order = (given: Partial<Stripe.PaymentIntentCreateParams> = {}, options?: Stripe.RequestOptions) =>
    stripe.paymentIntents.create(
      { amount: 3900, currency: "usd", automatic_payment_methods: { enabled: true }, ...given },
      options,
    );

  const move = <Answer = Stripe.PaymentIntent>(id: string, deed: string, body: object = {}) =>
    harness.control<Answer>("POST", `/sandbox/stripe/intents/${id}/${deed}`, body);

  /** An intent that this card was entered for. */
  async function pay(card: string, given: Partial<Stripe.PaymentIntentCreateParams> = {}) {
    const { id } = await order(given);
    return move(id, "pay", { card });
  }

  const events = async (query = "") =>
    (await harness.control<{ events: ListedEvent[] }>("GET", `/sandbox/stripe/events${query}`)).events;

  const requests = async () =>
    (await harness.control<{ requests: ReceivedRequest[] }>("GET", "/sandbox/stripe/requests")).requests;

  /** The error that the library throws for a refused call. */
  const refusal = async (call: Promise<unknown>): Promise<Stripe.errors.StripeError> => {
    const outcome = await call.then(
      () => null,
      (error: unknown) => error,
    );
    if (outcome instanceof Stripe.errors.StripeError) return outcome;
    throw new Error(`not refused: ${String(outcome)}`);
  };

  return { ...harness, stripe, connect, order, move, pay, events, requests, refusal };
}
