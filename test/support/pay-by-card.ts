import type { PrepareResponse, Quote } from "../../worker/contract/money/payments.ts";
import { parseResponse, type DriverClient } from "./driver-client.ts";
import { postJson } from "./sandbox-client.ts";

/** Pays for two weeks by card, and returns the payment's id. The first one keeps the card. */
export async function payByCard(
  origin: string,
  client: DriverClient,
  lastPaymentId: string | null,
): Promise<string> {
  const quote = await client.fetchJson<Quote>("POST", "/flex/v1/payments/quote", {
    body: { plan: "14days", points: 0 },
  });
  const { totalCents, priceId } = quote;
  const order = { plan: "14days", points: 0, totalCents, priceId, lastPaymentId };
  const prepared = await parseResponse<PrepareResponse>(
    await client.sealed("POST", "/flex/v1/payments/prepare", order),
    "prepare",
  );
  const { paymentId, clientSecret } = prepared;
  if (clientSecret === null) throw new Error("there is nothing to pay");
  const intentId = clientSecret.slice(0, clientSecret.indexOf("_secret"));
  await postJson({ fetch, origin }, `/sandbox/stripe/intents/${intentId}/pay`, {
    keep: lastPaymentId === null,
  });
  await client.fetchJson("GET", `/flex/v1/payments/${paymentId}`);
  return paymentId;
}
