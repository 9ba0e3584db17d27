import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { PaymentInProgress, PaymentResponse } from "../../../worker/contract/money/payments.ts";
import { paymentQuery } from "../../../web/api/queries/payments.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PaymentUnderWay } from "../../../web/features/payments/payment-under-way.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { RECORD } from "../../support/driver-record.ts";
import { changesOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => void vi.unstubAllGlobals());

const UNDER_WAY: PaymentInProgress = {
  id: "pay",
  status: "processing",
  plan: "7days",
  totalCents: 5_022,
  currency: "USD",
  since: NOON,
  canCancel: true,
};
const CANCELED: PaymentResponse = {
  payment: {
    id: "pay",
    plan: "7days",
    status: "abandoned",
    currency: "USD",
    priceCents: 5_000,
    discountKind: null,
    discountCents: 0,
    points: 0,
    pointsCents: 0,
    feeCents: 22,
    totalCents: 5_022,
    refundedCents: 0,
    receiptUrl: null,
    receiptNumber: null,
    isRenewal: false,
    inProgress: null,
    reversal: null,
    at: NOON,
  },
  serviceUntil: null,
};
const KNOWN = { payment: "as it was" };

async function openPayment(inProgress: PaymentInProgress) {
  const harness = createBrowserHarness();
  harness.signIn();
  const onRefresh = vi.fn<() => void>();
  const part = await changesOfPart(createElement(PaymentUnderWay, { inProgress, onRefresh }), {
    answered: [
      [userQuery.queryKey, RECORD],
      [paymentQuery("pay").queryKey, KNOWN],
    ],
  });
  return { ...part, harness, onRefresh };
}

it("offers to check again, and to cancel only where the bank lets it", async () => {
  expect((await openPayment({ ...UNDER_WAY, canCancel: false })).buttons).toEqual(["Check again"]);
  const { buttons, press, onRefresh } = await openPayment(UNDER_WAY);
  expect(buttons).toEqual(["Check again", "Cancel payment"]);
  press("Check again");
  expect(onRefresh).toHaveBeenCalledOnce();
});

it("is shown as the server has it once it is called off", async () => {
  const { press, harness, cached } = await openPayment(UNDER_WAY);
  harness.answer({ "POST /flex/v1/payments/pay/cancel": { body: CANCELED } });
  press("Cancel payment");
  await expect.poll(() => cached(paymentQuery("pay").queryKey)).toEqual(CANCELED);
});

it("stays as it was where its cancellation doesn't reach the server", async () => {
  const { changes, harness, cached } = await openPayment(UNDER_WAY);
  harness.answer({ "POST /flex/v1/payments/pay/cancel": "lost" });
  await expect(Promise.resolve(changes[0]?.())).rejects.toMatchObject({ code: "network" });
  expect(cached(paymentQuery("pay").queryKey)).toEqual(KNOWN);
});
