import type { CardPayment } from "../../worker/payments/card-payment.ts";
import type { CardProcessor } from "../../worker/payments/stripe/card-processor.ts";
import type { StoredCard } from "../../worker/payments/stripe/responses.ts";

type Operation = keyof CardProcessor;

/** The card processor of a test, in memory: what it has, what it was asked, and what happens while it is asked. */
export class Bank {
  readonly asked: [operation: Operation, ...about: unknown[]][] = [];
  readonly intents = new Map<string, CardPayment>();
  /** The properties of the next intents. */
  next: Partial<CardPayment> = {};
  cards: StoredCard[] = [];
  changed: { succeeded: string[]; refunded: string[] } = { succeeded: [], refunded: [] };
  readonly #during = new Map<Operation, (() => unknown)[]>();
  readonly #refundKeys = new Set<string>();
  #made = 0;

  /** Does something, or throws, while an operation is next asked for; several are for several calls. */
  during(operation: Operation, ...happens: (() => unknown)[]): void {
    this.#during.set(operation, [...(this.#during.get(operation) ?? []), ...happens]);
  }

  /** How many calls an operation had. */
  count(operation: Operation): number {
    return this.asked.filter(([asked]) => asked === operation).length;
  }

  /** The latest intent. */
  get last(): CardPayment {
    const last = [...this.intents.values()].at(-1);
    if (!last) throw new Error("the bank has no intent");
    return last;
  }

  change(intentId: string, change: Partial<CardPayment>): void {
    const known = this.intents.get(intentId);
    if (!known) throw new Error(`the bank has no ${intentId}`);
    this.intents.set(intentId, { ...known, ...change });
  }

  pay(intentId: string, change: Partial<CardPayment> = {}): void {
    const method = { type: "card", brand: "visa", last4: "4242" };
    this.change(intentId, {
      status: "succeeded",
      method,
      methodId: "pm_1",
      fingerprint: "print_1",
      clientSecret: null,
      ...change,
    });
  }

  readonly processor: CardProcessor = {
    createCustomer: async (driver, key) => {
      await this.#ask("createCustomer", driver.id, key);
      return this.#name("cus");
    },
    deleteCustomer: (customerId) => this.#ask("deleteCustomer", customerId),
    createIntent: async (payment, details) => {
      await this.#ask("createIntent", payment.id, details);
      const known = [...this.intents.values()].find(({ paymentId }) => paymentId === payment.id);
      if (known) return known;
      const intentId = this.#name("pi");
      const intent: CardPayment = {
        intentId,
        paymentId: payment.id,
        status: "open",
        cents: payment.totalCents,
        currency: payment.currency,
        clientSecret: `${intentId}_secret`,
        paidAt: null,
        receiptUrl: null,
        method: null,
        methodId: null,
        failure: null,
        refunds: [],
        disputes: [],
        processorFeeCents: null,
        usage: payment.renewalCapCents === null ? null : "off_session",
        openDispute: null,
        fingerprint: null,
        reports: [],
        ...this.next,
      };
      this.intents.set(intentId, intent);
      return intent;
    },
    setMethodUsage: async (intentId, usage) => {
      await this.#ask("setMethodUsage", intentId, usage);
      this.change(intentId, { usage });
    },
    confirmWithoutDriver: async (intentId, methodId, key) => {
      await this.#ask("confirmWithoutDriver", intentId, methodId, key);
      if (this.intents.get(intentId)?.status === "open") this.pay(intentId);
    },
    openCustomerSession: async (customerId) => {
      await this.#ask("openCustomerSession", customerId);
      return `${customerId}_session`;
    },
    listSavedCards: async (customerId) => {
      await this.#ask("listSavedCards", customerId);
      return this.cards;
    },
    removeSavedCard: (cardId) => this.#ask("removeSavedCard", cardId),
    refundIntent: async (intentId, key) => {
      await this.#ask("refundIntent", intentId, key);
      // Under a key that it knows the bank answers as before, whatever became of the refund.
      if (this.#refundKeys.has(key)) return;
      this.#refundKeys.add(key);
      const { cents, paidAt } = this.intents.get(intentId) ?? { cents: 0, paidAt: null };
      const refund = { id: `re_${intentId}`, kind: "refund", cents, at: paidAt ?? 0 } as const;
      this.change(intentId, { refunds: [{ ...refund, isEffective: true, isGoodwill: false }] });
    },
    hasRefund: async (intentId, actId) => {
      await this.#ask("hasRefund", intentId, actId);
      return this.intents.get(intentId)?.refunds.some(({ isEffective }) => isEffective) ?? false;
    },
    checkKey: () => this.#ask("checkKey"),
    fetchIntent: async (intentId) => {
      await this.#ask("fetchIntent", intentId);
      const intent = this.intents.get(intentId);
      if (!intent) throw new Error(`the bank has no ${intentId}`);
      return intent;
    },
    findIntentOfCharge: async (chargeId) => {
      await this.#ask("findIntentOfCharge", chargeId);
      return chargeId.replace("ch_", "pi_");
    },
    cancelIntent: async (intentId) => {
      await this.#ask("cancelIntent", intentId);
      if (this.intents.get(intentId)?.status === "open") this.change(intentId, { status: "canceled" });
    },
    fetchBooks: async (span) => {
      await this.#ask("fetchBooks", span);
      return { bookings: [], begunAt: new Map(), movements: [] };
    },
    listChangedIntents: async (since) => {
      await this.#ask("listChangedIntents", since);
      return this.changed;
    },
    verifyEvent: async () => null,
  };

  #name(kind: string): string {
    this.#made += 1;
    return `${kind}_${this.#made}`;
  }

  async #ask(operation: Operation, ...about: unknown[]): Promise<void> {
    this.asked.push([operation, ...about]);
    await this.#during.get(operation)?.shift()?.();
  }
}
