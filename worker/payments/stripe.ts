import type Stripe from "stripe";
import type { PaymentRow } from "../../db/queries/payments.ts";
import type { Deps } from "../../durable/deps.ts";
import type { Language } from "../../db/shapes/language.ts";
import { countInputs } from "../../locales/format.ts";
import { formatMessage } from "../../locales/format-message.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import { VERSION } from "../../durable/runtime/version.ts";
import { PLAN_PRICES } from "../../db/shapes/plans.ts";
import type { CardPayment } from "./settlement.ts";
import {
  referenceId,
  toCardPayment,
  toCardProcessorError,
  toSignedEvent,
  type SignedEvent,
} from "./stripe-responses.ts";

/** The version that the library's types describe; another version of the library does not compile. */
const API_VERSION = "2026-10-28.endive";
const TIMEOUT_MS = 8_000;
const RETRIES = 2;
const SIGNATURE_TOLERANCE_SECONDS = 300;
const PAGE_SIZE = 100;

/** The card processor. Every method throws `CardProcessorError`. */
export type CardProcessor = {
  /** Creates a customer, once per key. Nothing about the driver goes there but the id. */
  createCustomer(driverId: DriverId, key: string): Promise<string>;
  /** Creates the intent of a payment, under the payment's own idempotency key, described in the driver's language. */
  createIntent(payment: PaymentRow, driver: { customerId: string; language: Language }): Promise<CardPayment>;
  /** The intent with its charge, refunds and disputes. */
  fetchIntent(intentId: string): Promise<CardPayment>;
  /** Cancels an intent if that is still possible; `fetchIntent` says what became of it. */
  cancelIntent(intentId: string): Promise<void>;
  /** Intents that succeeded, were refunded or disputed since an instant; each once. */
  listChangedIntents(since: EpochMs): Promise<{ succeeded: string[]; refunded: string[] }>;
  /** The event, if one of our secrets signed these bytes within five minutes; else null. */
  verifyEvent(body: string, signature: string): Promise<SignedEvent | null>;
};

/** Stripe, through the one door out; null where no keys are set. The library is loaded at the first call. */
export function createCardProcessor({
  config,
  send,
  now,
  log,
}: Pick<Deps, "config" | "send" | "now" | "log">): CardProcessor | null {
  const { cards, productName } = config;
  if (!cards) return null;
  const { protocol, hostname, port } = new URL(cards.url);
  let loading: Promise<Stripe> | null = null;

  function loadStripe(): Promise<Stripe> {
    loading ??= import("stripe").then(
      ({ default: Library }) =>
        new Library(cards?.secretKey ?? "", {
          apiVersion: API_VERSION,
          httpClient: Library.createFetchHttpClient((url, init) => send(new Request(url, init))),
          protocol: protocol === "http:" ? "http" : "https",
          host: hostname,
          port: port || (protocol === "http:" ? 80 : 443),
          maxNetworkRetries: RETRIES,
          timeout: TIMEOUT_MS,
          telemetry: false,
          appInfo: { name: productName, version: VERSION },
        }),
    );
    return loading;
  }

  async function request<Answer>(
    operation: string,
    call: (stripe: Stripe) => Promise<Answer>,
  ): Promise<Answer> {
    const stripe = await loadStripe();
    try {
      return await call(stripe);
    } catch (error) {
      const cardError = toCardProcessorError(error);
      if (!cardError) throw error;
      log(cardError.kind === "refused" ? "error" : "warn", "payments.call.failed", {
        what: operation,
        kind: cardError.kind,
      });
      throw cardError;
    }
  }

  async function withRefunds(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<CardPayment> {
    if (intent.status !== "succeeded") return toCardPayment(intent, { refunds: [], disputes: [] });
    const [refunds, disputes] = await Promise.all([
      stripe.refunds.list({ payment_intent: intent.id, limit: PAGE_SIZE }),
      stripe.disputes.list({ payment_intent: intent.id, limit: PAGE_SIZE }),
    ]);
    return toCardPayment(intent, { refunds: refunds.data, disputes: disputes.data });
  }

  return {
    createCustomer: (driverId, key) =>
      request("customer.create", async (stripe) => {
        const made = await stripe.customers.create(
          { metadata: { driver_id: driverId } },
          { idempotencyKey: key },
        );
        return made.id;
      }),

    createIntent: (payment, { customerId, language }) =>
      request("intent.create", async (stripe) => {
        const days = countInputs(language, PLAN_PRICES[payment.plan].days);
        const intent = await stripe.paymentIntents.create(
          {
            amount: payment.totalCents,
            currency: payment.currency.toLowerCase(),
            customer: customerId,
            description: `${productName}, ${formatMessage(language, "unit_days", days)}`,
            metadata: { payment_id: payment.id, driver_id: payment.driverId, plan: payment.plan },
            automatic_payment_methods: { enabled: true },
          },
          { idempotencyKey: `payment:${payment.id}` },
        );
        return toCardPayment(intent, { refunds: [], disputes: [] });
      }),

    fetchIntent: (intentId) =>
      request("intent.read", async (stripe) => {
        const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] });
        return withRefunds(stripe, intent);
      }),

    cancelIntent: (intentId) =>
      request("intent.cancel", async (stripe) => {
        try {
          await stripe.paymentIntents.cancel(intentId, { cancellation_reason: "abandoned" });
        } catch (error) {
          // It was paid or canceled in the meantime, or is unknown: the fetch that follows finds out.
          if (toCardProcessorError(error)?.kind !== "refused") throw error;
        }
      }),

    listChangedIntents: (since) =>
      request("intents.list", async (stripe) => {
        const recent = { created: { gte: Math.floor(since / 1000) }, limit: PAGE_SIZE };
        const [intents, refunds, disputes] = await Promise.all([
          stripe.paymentIntents.list(recent).autoPagingToArray({ limit: 10_000 }),
          stripe.refunds.list(recent).autoPagingToArray({ limit: 10_000 }),
          stripe.disputes.list(recent).autoPagingToArray({ limit: 10_000 }),
        ]);
        return {
          succeeded: intents.filter(({ status }) => status === "succeeded").map(({ id }) => id),
          refunded: [
            ...new Set(
              [...refunds, ...disputes].flatMap((refund) => referenceId(refund.payment_intent) ?? []),
            ),
          ],
        };
      }),

    async verifyEvent(body, signature) {
      const { default: Library } = await import("stripe");
      const crypto = Library.createSubtleCryptoProvider();
      for (const secret of cards.webhookSecrets) {
        try {
          const event = await Library.webhooks.constructEventAsync(
            body,
            signature,
            secret,
            SIGNATURE_TOLERANCE_SECONDS,
            crypto,
            now(),
          );
          return toSignedEvent(event);
        } catch {
          continue;
        }
      }
      return null;
    },
  };
}
