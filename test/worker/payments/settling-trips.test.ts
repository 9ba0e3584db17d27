import { beforeEach, expect, it } from "vitest";
import type { PaymentResponse } from "../../../worker/contract/money/payments.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { counted, seen } from "../counted-trips.ts";
import { signInMember, signUpMember } from "../embedded-pool.ts";
import { resetPlatform } from "../harness.ts";
import { createPreparedPayment, payIntent } from "../payments-harness.ts";

beforeEach(async () => {
  await resetPlatform();
  seen.clear();
});

/** A driver of the counted deployment whose card was charged, which no event has told of. */
async function createPaid() {
  const { phoneNumber } = await signUpMember();
  const { idToken: token } = await signInMember(phoneNumber);
  const client = new DriverClient({ ...counted, token });
  await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
  const { intentId, paymentId } = await createPreparedPayment({ client }, { plan: "7days" });
  await payIntent(intentId);
  return { client, paymentId };
}

it.each([
  ["a look at a payment", "GET", "", "GET /flex/v1/payments/{id}"],
  ["the cancelation of a payment", "POST", "/cancel", "POST /flex/v1/payments/{id}/cancel"],
])("%s that turns out paid waits for five trips", async (_what, method, path, name) => {
  const { client, paymentId } = await createPaid();
  const { payment } = await client.fetchJson<PaymentResponse>(
    method,
    `/flex/v1/payments/${paymentId}${path}`,
  );
  expect(payment.status).toBe("settled");
  const { trips, log } = seen.get(name) ?? { trips: Infinity, log: [] };
  expect([trips, ...log]).toEqual([5, ...log]);
});
