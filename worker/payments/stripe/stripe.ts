import type Stripe from "stripe";
import type { Deps } from "../../../durable/deps.ts";
import { countInputs } from "../../../locales/format.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { noteFailures, notingSend } from "../../../durable/runtime/call-failure.ts";
import { VERSION } from "../../../durable/runtime/version.ts";
import { HANDLED_EVENTS } from "../../../db/shapes/money/stripe-words.ts";
import { PLAN_DAYS } from "../../../db/shapes/money/plans.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { type CardProcessor, toIntentMetadata } from "./card-processor.ts";
import { noteRefusedKey } from "./key-health.ts";
import { pickAll } from "./pick-all.ts";
import type { CardPayment } from "../card-payment.ts";
import { fetchStripeBooks } from "../books/stripe-books.ts";
import {
  describePaymentError,
  isAddressRefused,
  isEffectiveRefund,
  hasOtherParameters,
  referenceId,
  toCardPayment,
  toCardProcessorError,
  toSignedEvent,
  toStoredCard,
} from "./responses.ts";

/** The version that the library's types describe; another version of the library does not compile. */
const API_VERSION = "2026-10-28.endive";
const TIMEOUT_MS = 8_000;
const CHECK_TIMEOUT_MS = 1_500;
const RETRIES = 2;
const SIGNATURE_TOLERANCE_SECONDS = 300;
const PAGE_SIZE = 100;
/** The most that is read of each list of three days. */
const MOST_CHANGED = 10_000;
const MONEY_BACK_EVENTS = [...HANDLED_EVENTS].filter((type) => !type.startsWith("payment_intent."));
/** Nothing was given back of an intent that nobody has paid. */
const NOTHING_BACK = { refunds: [], disputes: [], warnings: [] };

/** The intent that a refund, a dispute or a warning is about, if it is about one. */
function intentsOf({
  payment_intent: intent,
}: {
  payment_intent?: string | { id: string } | null;
}): string[] {
  return toReferences(referenceId(intent ?? null));
}

function toReferences(id: string | null): string[] {
  return id === null ? [] : [id];
}

/** Stripe, through the one door out; null where no keys are set. The library is loaded at the first call. */
export function createCardProcessor({
  config,
  send,
  now,
  log,
}: Pick<Deps, "config" | "send" | "now" | "log">): CardProcessor | null {
  const { cards, productName, paymentMethods, statementSuffix } = config;
  if (!cards) return null;
  const { protocol, hostname, port } = new URL(cards.url);
  const notedSend = notingSend(send, noteFailures("stripe", log));
  let loading: Promise<Stripe> | null = null;

  function loadStripe(): Promise<Stripe> {
    loading ??= import("stripe").then(
      ({ default: Library }) =>
        new Library(cards?.secretKey ?? "", {
          apiVersion: API_VERSION,
          httpClient: Library.createFetchHttpClient((url, init) => notedSend(new Request(url, init))),
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
        ...describePaymentError(cardError),
      });
      if (cardError.isUnauthorized) noteRefusedKey(config, now());
      throw cardError;
    }
  }

  async function withRefunds(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<CardPayment> {
    if (intent.status !== "succeeded") return toCardPayment(intent, NOTHING_BACK);
    const [refunds, disputes, warnings] = await Promise.all([
      stripe.refunds.list({ payment_intent: intent.id, limit: PAGE_SIZE }),
      stripe.disputes.list({ payment_intent: intent.id, limit: PAGE_SIZE }),
      listWarnings(stripe, { payment_intent: intent.id, limit: PAGE_SIZE }),
    ]);
    return toCardPayment(intent, { refunds: refunds.data, disputes: disputes.data, warnings });
  }

  /**
   * Creates an intent, once per key. A repeat with other parameters, as after a change of language or a deployment, makes
   * another: nobody can pay the former, since its secret was lost with its answer.
   */
  async function createOnce(
    stripe: Stripe,
    params: Stripe.PaymentIntentCreateParams,
    idempotencyKey: string,
  ): Promise<Stripe.PaymentIntent> {
    try {
      return await stripe.paymentIntents.create(params, { idempotencyKey });
    } catch (error) {
      if (!hasOtherParameters(error)) throw error;
      const hash = await sha256Hex(JSON.stringify(params));
      return stripe.paymentIntents.create(params, { idempotencyKey: `${idempotencyKey}:${hash}` });
    }
  }

  /** Early fraud warnings. A restricted key may not read them: then there are none. */
  async function listWarnings(
    stripe: Stripe,
    params: Stripe.Radar.EarlyFraudWarningListParams,
  ): Promise<Stripe.Radar.EarlyFraudWarning[]> {
    try {
      return (await stripe.radar.earlyFraudWarnings.list(params)).data;
    } catch (error) {
      if (toCardProcessorError(error)?.reference.status !== 403) throw error;
      return [];
    }
  }

  /**
   * The intents whose refunds, disputes or warnings changed, however old those are: a dispute is decided weeks after it was
   * opened. A restricted key may not read events: then there are none.
   */
  async function listChangedLater(stripe: Stripe, params: Stripe.EventListParams): Promise<string[]> {
    try {
      const events = stripe.events.list({ ...params, types: MONEY_BACK_EVENTS });
      return await pickAll(events, (event) => toReferences(toSignedEvent(event).intentId), MOST_CHANGED);
    } catch (error) {
      if (toCardProcessorError(error)?.reference.status !== 403) throw error;
      return [];
    }
  }

  /** With its charge and what was booked of it. A restricted key may not read the latter: Stripe's fee stays unknown then. */
  async function retrieveIntent(stripe: Stripe, intentId: string): Promise<Stripe.PaymentIntent> {
    try {
      return await stripe.paymentIntents.retrieve(intentId, {
        expand: ["latest_charge.balance_transaction"],
      });
    } catch (error) {
      if (toCardProcessorError(error)?.reference.status !== 403) throw error;
      return stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] });
    }
  }

  return {
    createCustomer: ({ id, name, phoneNumber }, key) =>
      request("customer.create", async (stripe) => {
        const made = await stripe.customers.create(
          { name, phone: phoneNumber, metadata: { driver_id: id } },
          { idempotencyKey: key },
        );
        return made.id;
      }),

    deleteCustomer: (customerId) =>
      request("customer.delete", async (stripe) => {
        try {
          await stripe.customers.del(customerId);
        } catch (error) {
          if (!toCardProcessorError(error)?.missing) throw error;
        }
      }),

    createIntent: (payment, { customerId, language, receiptEmail }) =>
      request("intent.create", async (stripe) => {
        const days = countInputs(language, PLAN_DAYS[payment.plan]);
        const params = {
          amount: payment.totalCents,
          currency: payment.currency.toLowerCase(),
          customer: customerId,
          description: `${productName}, ${formatMessage(language, "unit_days", days)}`,
          metadata: toIntentMetadata(payment),
          allowed_payment_method_types: paymentMethods,
          statement_descriptor_suffix: statementSuffix,
          ...(payment.renewalCapCents !== null && { setup_future_usage: "off_session" as const }),
        };
        const idempotencyKey = `payment:${payment.id}`;
        const withReceipt = { ...params, ...(receiptEmail && { receipt_email: receiptEmail }) };
        const intent = await createOnce(stripe, withReceipt, idempotencyKey).catch((error: unknown) => {
          if (!isAddressRefused(error)) throw error;
          // The platform took the address. Without it only Stripe's own receipt is missing.
          log("warn", "payments.receipt.refused", { paymentId: payment.id, driverId: payment.driverId });
          return createOnce(stripe, params, `${idempotencyKey}:no_receipt`);
        });
        return toCardPayment(intent, NOTHING_BACK);
      }),

    setMethodUsage: (intentId, usage) =>
      request("intent.update", async (stripe) => {
        await stripe.paymentIntents.update(intentId, { setup_future_usage: usage ?? "" });
      }),

    confirmWithoutDriver: (intentId, methodId, key) =>
      request("intent.confirm", async (stripe) => {
        await stripe.paymentIntents.confirm(
          intentId,
          { payment_method: methodId, off_session: true },
          { idempotencyKey: key },
        );
      }),

    openCustomerSession: (customerId) =>
      request("session.create", async (stripe) => {
        const session = await stripe.customerSessions.create({
          customer: customerId,
          components: {
            payment_element: {
              enabled: true,
              features: {
                payment_method_redisplay: "enabled",
                payment_method_remove: "enabled",
                // Its own box to save a card fixes a usage, which Stripe refuses beside that of a renewal: a form could
                // not change from one to the other without losing what was typed. The page has the box.
                payment_method_save: "disabled",
              },
            },
          },
        });
        return session.client_secret;
      }),

    listSavedCards: (customerId) =>
      request("cards.list", async (stripe) => {
        const { data } = await stripe.customers.listPaymentMethods(customerId, { limit: PAGE_SIZE });
        return data.map(toStoredCard);
      }),

    removeSavedCard: (cardId) =>
      request("card.remove", async (stripe) => {
        try {
          await stripe.paymentMethods.detach(cardId);
        } catch (error) {
          if (!toCardProcessorError(error)?.missing) throw error;
        }
      }),

    refundIntent: (intentId, key, part) =>
      request("refund.create", async (stripe) => {
        await stripe.refunds.create(
          {
            payment_intent: intentId,
            reason: "requested_by_customer",
            ...(part && {
              amount: part.cents,
              metadata: { act: part.actId, ...(part.isGoodwill && { goodwill: "true" }) },
            }),
          },
          { idempotencyKey: key },
        );
      }),

    hasRefund: (intentId, actId) =>
      request("refunds.list", async (stripe) => {
        const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: PAGE_SIZE });
        return data.some((refund) => refund.metadata?.["act"] === actId && isEffectiveRefund(refund));
      }),

    checkKey: () =>
      request("key.check", async (stripe) => {
        // A driver waits for it.
        await stripe.paymentIntents.list({ limit: 1 }, { timeout: CHECK_TIMEOUT_MS, maxNetworkRetries: 0 });
      }),

    fetchIntent: (intentId) =>
      request("intent.read", async (stripe) => {
        return withRefunds(stripe, await retrieveIntent(stripe, intentId));
      }),

    findIntentOfCharge: (chargeId) =>
      request("charge.read", async (stripe) => {
        return referenceId((await stripe.charges.retrieve(chargeId)).payment_intent);
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
        const [succeeded, refunds, disputes, warnings, changedLater] = await Promise.all([
          pickAll(
            stripe.paymentIntents.list(recent),
            ({ id, status }) => (status === "succeeded" ? [id] : []),
            MOST_CHANGED,
          ),
          pickAll(stripe.refunds.list(recent), intentsOf, MOST_CHANGED),
          pickAll(stripe.disputes.list(recent), intentsOf, MOST_CHANGED),
          listWarnings(stripe, recent),
          listChangedLater(stripe, recent),
        ]);
        const refunded = [...refunds, ...disputes, ...warnings.flatMap(intentsOf), ...changedLater];
        return { succeeded, refunded: [...new Set(refunded)] };
      }),

    fetchBooks: (span) => request("books.read", (stripe) => fetchStripeBooks(stripe, span)),

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
