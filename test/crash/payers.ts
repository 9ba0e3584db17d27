import type { SandboxServer } from "../sandbox-server.ts";
import { DriverClient, parseResponse } from "../support/driver-client.ts";
import { lastText, openUserPool, registerAccount, signInBySrp } from "../support/identity.ts";
import { postJson } from "../support/sandbox-client.ts";
import type { PlansResponse, PrepareResponse, Quote } from "../../worker/contract/money/payments.ts";
import { pause, type Product } from "./product.ts";

const PHONES = ["+15550100131", "+15550100132"];
const PASSWORD = "Jornada-1-test";
/** Deeds of a bank or an operator, by Stripe's own hand, which some payments meet. */
const AFTERWARDS = [
  ["refund", { amount: 1_000 }],
  ["refund", {}],
  ["dispute", {}],
  ["dispute", { outcome: "lost" }],
  ["dispute", { outcome: "won" }],
  ["warn", {}],
] as const;

/**
 * Drivers who pay and pay, some of whose money goes back. A call may find the product dead, or die with it: then they begin
 * anew, as people do.
 */
export class Payers {
  readonly #clients: DriverClient[] = [];
  readonly #outside: { fetch: typeof fetch; origin: string };
  #onStep: (() => void) | null = null;
  #isPaying = true;
  paid = 0;
  returned = 0;

  constructor(sandbox: SandboxServer) {
    this.#outside = { fetch, origin: sandbox.url };
  }

  async register({ origin }: Product): Promise<void> {
    const pool = await openUserPool(origin);
    for (const phoneNumber of PHONES) {
      const name = "Luz";
      await registerAccount(pool, { phoneNumber, password: PASSWORD, name }, () =>
        lastText(this.#outside.origin, phoneNumber),
      );
      const { idToken: token } = await signInBySrp(pool, { phoneNumber, password: PASSWORD });
      const client = new DriverClient({ fetch, origin, token });
      await parseResponse(await client.sealed("PUT", "/flex/v1/user", { name, phoneNumber }), "user");
      this.#clients.push(client);
    }
  }

  /** Resolves at the next step of a payment. */
  nextStep(): Promise<void> {
    return new Promise((resolve) => {
      this.#onStep = resolve;
    });
  }

  async run(): Promise<void> {
    await Promise.all(this.#clients.map((client) => this.#payAgainAndAgain(client)));
  }

  stop(): void {
    this.#isPaying = false;
  }

  async #payAgainAndAgain(client: DriverClient): Promise<void> {
    while (this.#isPaying) {
      await this.#payOnce(client).catch(() => {});
      await pause(200 + 600 * Math.random());
    }
  }

  async #payOnce(client: DriverClient): Promise<void> {
    const { lastPaymentId } = await client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    const wish = { plan: "3days", points: 0 };
    const { totalCents } = await client.fetchJson<Quote>("POST", "/flex/v1/payments/quote", { body: wish });
    const order = { ...wish, totalCents, lastPaymentId };
    this.#step();
    const prepared = await parseResponse<PrepareResponse>(
      await client.sealed("POST", "/flex/v1/payments/prepare", order),
      "prepare",
    );
    const intentId = prepared.clientSecret?.split("_secret_")[0];
    if (intentId === undefined) return;
    this.#step();
    await this.#move(intentId, "pay", {});
    this.paid += 1;
    if (Math.random() < 0.5) await client.fetchJson("GET", `/flex/v1/payments/${prepared.paymentId}`);
    const [deed, body] = AFTERWARDS[Math.floor(Math.random() * 2 * AFTERWARDS.length)] ?? [];
    if (deed === undefined) return;
    await pause(1_000 * Math.random());
    this.#step();
    await this.#move(intentId, deed, body);
    this.returned += 1;
  }

  #move(intentId: string, deed: string, body: object): Promise<unknown> {
    return postJson(this.#outside, `/sandbox/stripe/intents/${intentId}/${deed}`, body);
  }

  #step(): void {
    this.#onStep?.();
    this.#onStep = null;
  }
}
