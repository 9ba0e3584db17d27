import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import {
  createExecutionContext,
  createScheduledController,
  env,
  waitOnExecutionContext,
} from "cloudflare:test";
import type {
  PaymentResponse,
  PlansResponse,
  PrepareResponse,
  PrepareInput,
  Quote,
} from "../../worker/contract/money/payments.ts";
import { minuteSteps } from "../../worker/cron/watchdog.ts";
import worker from "../../worker/index.ts";
import type { ErrorResponse } from "../../worker/contract/error-response.ts";
import { postJson } from "../support/sandbox-client.ts";
import { parseResponse } from "../support/driver-client.ts";
import { apiTarget, createDriver, type TestDriver } from "./harness.ts";

/** The full amount of each plan: price and fee. */
export const FULL = { "3days": 3523, "7days": 5022, "14days": 9062, "30days": 17_118 } as const;

export type SignedEvent = { id: string; type: string; body: string; signature: string };

/** A driver whose service has ended. */
export async function createPayer(change: { points?: number } = {}): Promise<TestDriver> {
  const driver = await createDriver({ serviceMs: 0 });
  if (change.points) await givePoints(driver, change.points);
  return driver;
}

export async function givePoints({ driverId }: TestDriver, points: number): Promise<void> {
  await env.DB.prepare(`INSERT INTO point_entries (source, driver_id, points, at) VALUES (?, ?, ?, ?)`)
    .bind(`test:${crypto.randomUUID()}`, driverId, points, Date.now())
    .run();
}

type PrepareOptions = Omit<PrepareInput, "lastPaymentId"> & Partial<Pick<PrepareInput, "lastPaymentId">>;

/** Prepares like a page that has just loaded; `lastPaymentId` simulates an older page. */
export async function postPrepare(
  { client }: Pick<TestDriver, "client">,
  input: PrepareOptions,
): Promise<Response> {
  const { lastPaymentId } = await client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
  return client.sealed("POST", "/flex/v1/payments/prepare", { lastPaymentId, ...input });
}

/** Prepares a plan at its full price by default. */
export async function createPreparedPayment(
  driver: Pick<TestDriver, "client">,
  change: Partial<PrepareInput> & Pick<PrepareInput, "plan">,
): Promise<PrepareResponse & { intentId: string }> {
  const input = { points: 0, totalCents: FULL[change.plan], ...change };
  const answer = await parseResponse<PrepareResponse>(await postPrepare(driver, input), "prepare");
  return { ...answer, intentId: answer.clientSecret?.split("_secret_")[0] ?? "" };
}

export function fetchQuote({ client }: TestDriver, body: unknown): Promise<Quote> {
  return client.fetchJson("POST", "/flex/v1/payments/quote", { body });
}

export function fetchPayment({ client }: TestDriver, paymentId: string): Promise<PaymentResponse> {
  return client.fetchJson("GET", `/flex/v1/payments/${paymentId}`);
}

export function callStripeSandbox<Answer>(path: string, body?: unknown): Promise<Answer> {
  if (body !== undefined) return postJson<Answer>(apiTarget, `/sandbox/stripe/${path}`, body);
  return apiTarget
    .fetch(`${apiTarget.origin}/sandbox/stripe/${path}`)
    .then((answer) => parseResponse(answer, path));
}

/** Pays with a valid card. */
export async function payIntent(intentId: string, card: Record<string, unknown> = {}): Promise<void> {
  await callStripeSandbox(`intents/${intentId}/pay`, card);
}

export async function fetchEvents(intentId: string, query = ""): Promise<SignedEvent[]> {
  const { events } = await callStripeSandbox<{ events: SignedEvent[] }>(`events?intent=${intentId}${query}`);
  return events;
}

/** The event of a paid intent. */
export async function fetchPaidEvent(intentId: string): Promise<SignedEvent> {
  const [event] = await fetchEvents(intentId, "&type=payment_intent.succeeded");
  if (!event) throw new Error("no payment_intent.succeeded event");
  return event;
}

/** The Worker's response with other settings, after its background work has finished. */
async function fetchUnderSettings(settings: Record<string, unknown>, request: Request): Promise<Response> {
  const context = createExecutionContext();
  const answer = await worker.fetch(
    request as Parameters<typeof worker.fetch>[0],
    { ...env, ...settings },
    context,
  );
  await waitOnExecutionContext(context);
  return answer;
}

/** Posts an event to the Worker and waits until its background work has finished. */
export async function deliverWebhook(
  { body, signature }: Pick<SignedEvent, "body" | "signature">,
  settings: Record<string, unknown> = {},
): Promise<Response> {
  const request = new Request(`${apiTarget.origin}/webhooks/stripe`, {
    method: "POST",
    headers: { "stripe-signature": signature, "content-type": "application/json" },
    body,
  });
  return fetchUnderSettings(settings, request);
}

/** Makes a call with a driver's token and other settings. */
export async function callUnderSettings(
  settings: Record<string, string>,
  { token }: TestDriver,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<Response> {
  const request = new Request(`${apiTarget.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return fetchUnderSettings(settings, request);
}

type Row = Record<string, string | number | null>;

async function rows(statement: string, ...bindings: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(statement)
    .bind(...bindings)
    .all<Row>();
  return results;
}

/**
 * A driver's payments and ledger entries, without ids, so that two drivers can be compared. Service in days, to a
 * hundredth: a refund takes what is unused, and a test uses some.
 */
export async function ledgerOf({ driverId }: TestDriver) {
  const [credits, points, payments, raffle] = await Promise.all([
    rows(
      `SELECT source, duration_ms FROM service_credits WHERE driver_id = ? AND source LIKE 'payment:%' ORDER BY source`,
      driverId,
    ),
    rows(
      `SELECT source, points FROM point_entries WHERE driver_id = ? AND source LIKE 'payment:%' ORDER BY source`,
      driverId,
    ),
    rows(`SELECT status, refunded_cents FROM payments WHERE driver_id = ? ORDER BY created_at, id`, driverId),
    rows(`SELECT promotion_id FROM raffle_entries WHERE driver_id = ?`, driverId),
  ]);
  const kind = (source: unknown) =>
    String(source)
      .replace(/^payment:[\w-]+:?/, "")
      .replace(/(re|du)_\w+/, "$1");
  return {
    credits: credits.map((row) => [kind(row["source"]), toDays(row["duration_ms"])]),
    points: points.map((row) => [kind(row["source"]), row["points"]]),
    payments: payments.map((row) => row["status"]),
    refunded: payments.map((row) => row["refunded_cents"]),
    raffle: raffle.map((row) => row["promotion_id"]),
  };
}

function toDays(lengthMs: unknown): number {
  return Math.round((Number(lengthMs) / DAY_MS) * 100) / 100 + 0;
}

/** A driver's ledgers after one full payment for seven days. */
export const SEVEN_DAYS_PAID = {
  credits: [["", 7]],
  points: [["earned", 70]],
  payments: ["settled"],
  refunded: [0],
  raffle: [],
};

export async function pointBalanceOf({ driverId }: TestDriver): Promise<unknown> {
  const [row] = await rows(`SELECT sum(points) AS points FROM point_entries WHERE driver_id = ?`, driverId);
  return row?.["points"];
}

export async function revisionOf({ driverId }: TestDriver): Promise<unknown> {
  const [row] = await rows(`SELECT revision FROM users WHERE id = ?`, driverId);
  return row?.["revision"];
}

export async function fetchTexts({ phoneNumber }: TestDriver): Promise<string[]> {
  const answer = await apiTarget.fetch(
    `${apiTarget.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`,
  );
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

export const codeOf = async (answer: Response) => (await answer.json<ErrorResponse>()).code;

export type Arrival = {
  method: string;
  path: string;
  params: Record<string, unknown>;
  headers: Record<string, string>;
  status: number;
};

/** The requests that reached Stripe after the first `since`. */
export async function arrivals(from = 0): Promise<Arrival[]> {
  const { requests } = await callStripeSandbox<{ requests: Arrival[] }>("requests");
  return requests.slice(from);
}

export async function intentsOf(customerOf: { driverId: string }): Promise<{ id: string; status: string }[]> {
  const { intents } = await callStripeSandbox<{
    intents: { id: string; status: string; metadata: { driver_id?: string } }[];
  }>("intents");
  return intents.filter(({ metadata }) => metadata.driver_id === customerOf.driverId);
}

export async function cut(
  change: { plan?: string; priceCents?: number; driverId?: string | null; endsAt?: number } = {},
) {
  const id = crypto.randomUUID();
  const { plan = "30days", priceCents = 9999, driverId = null, endsAt = Date.now() + HOUR_MS } = change;
  await env.DB.prepare(
    `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
    .bind(
      id,
      driverId ? "special_price" : "flash_sale",
      plan,
      priceCents,
      driverId,
      Date.now() - HOUR_MS,
      endsAt,
    )
    .run();
  return {
    end: () => env.DB.prepare(`UPDATE price_cuts SET ends_at = 1 WHERE id = ?`).bind(id).run(),
  };
}

/** Clears injected faults. */
export async function clearFaults(): Promise<void> {
  await apiTarget.fetch(`${apiTarget.origin}/sandbox/faults`, { method: "DELETE" });
}

/** A driver who has paid for seven days at Stripe, which we have not heard of. */
export async function createPaid(change: { points?: number } = {}) {
  const driver = await createPayer(change);
  const { paymentId, intentId } = await createPreparedPayment(driver, { plan: "7days" });
  await payIntent(intentId);
  return { driver, paymentId, intentId };
}

/** The same, and we have. */
export async function createSettled(change: { points?: number } = {}) {
  const payment = await createPaid(change);
  await fetchPayment(payment.driver, payment.paymentId);
  return payment;
}

/** Delivers every event of an intent. */
export async function deliverAll(intentId: string): Promise<void> {
  for (const event of await fetchEvents(intentId)) await deliverWebhook(event);
}

/** Runs the hourly reconciliation, some minutes after the payment was prepared. */
export async function runReconciliation(): Promise<void> {
  await env.DB.prepare(`UPDATE payments SET created_at = created_at - 660000 WHERE status = 'open'`).run();
  await worker.scheduled(createScheduledController({ cron: "7 * * * *" }), env);
}

/** Runs all steps of the minute, as the cron does. */
export async function runMinute(): Promise<void> {
  await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);
}

/** They follow up on payments and tell drivers of them. A whole minute takes three times as many calls of D1. */
const PAYMENT_STEPS = ["account_changes", "service_changes", "events", "renewals", "news"];

/** Runs the steps of the minute that follow up on payments, or others; none may fail. */
export async function followPayments(steps: readonly string[] = PAYMENT_STEPS): Promise<void> {
  for (const { name, run } of minuteSteps(env)) if (steps.includes(name)) await run();
}

/** Lets three hours pass for a raffle that is over: its entries are closed, which names the beacon's round. */
export async function closeRaffle(id: string): Promise<void> {
  await env.DB.prepare(`UPDATE promotions SET ends_at = ends_at - ? WHERE id = ?`)
    .bind(3 * HOUR_MS, id)
    .run();
  await followPayments(["raffles"]);
}

/** Lets the beacon's round of a closed raffle come. */
export async function passBeaconRound(id: string): Promise<void> {
  await env.DB.prepare(`UPDATE promotions SET beacon_round = beacon_round - 2400 WHERE id = ?`)
    .bind(id)
    .run();
}

/** How the sandbox's drand answers. */
export async function setBeacon(behavior: string): Promise<void> {
  await postJson(apiTarget, "/sandbox/drand/behavior", { behavior });
}

export { rows };
