import { cleanup, screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import type { PaymentInProgress, PaymentResponse } from "../../../worker/contract/money/payments.ts";
import { paymentQuery } from "../../../web/api/queries/payments.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PaymentUnderWay } from "../../../web/features/payments/payment-under-way.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { makePayment } from "./payment-fixture.ts";

beforeAll(() => changeLocale("en"));

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
  payment: makePayment({ status: "abandoned" }),
  serviceUntil: null,
};
const KNOWN = { payment: "as it was" };
const CANCEL = "POST /flex/v1/payments/pay/cancel";

async function openPayment(inProgress: PaymentInProgress) {
  storeSession(localStorage);
  const network = scriptNetwork();
  network.answer({ "GET /flex/v1/user": { body: { Item: RECORD } } });
  const onRefresh = vi.fn<() => void>();
  const part = createElement(PaymentUnderWay, { inProgress, onRefresh });
  const { user, cached } = await renderPart(part, {
    answered: [
      [userQuery.queryKey, RECORD],
      [paymentQuery("pay").queryKey, KNOWN],
    ],
  });
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  return { ...network, press, onRefresh, payment: () => cached(paymentQuery("pay").queryKey) };
}

it("offers to check again, and to cancel only where the bank lets it", async () => {
  const { press, onRefresh } = await openPayment({ ...UNDER_WAY, canCancel: false });
  expect(buttonNames()).toEqual(["Check again"]);
  await press("Check again");
  expect(onRefresh).toHaveBeenCalledOnce();
  cleanup();
  await openPayment(UNDER_WAY);
  expect(buttonNames()).toEqual(["Check again", "Cancel payment"]);
});

it("is shown as the server has it once it is called off", async () => {
  const { answer, press, payment } = await openPayment(UNDER_WAY);
  answer({ [CANCEL]: { body: CANCELED } });
  await press("Cancel payment");
  await expect.poll(payment).toEqual(CANCELED);
});

it("isn't offered for cancellation again once the bank refused it", async () => {
  const { answer, press } = await openPayment(UNDER_WAY);
  const payment = { ...CANCELED.payment, status: "processing" };
  answer({ [CANCEL]: { body: { ...CANCELED, payment } } });
  await press("Cancel payment");
  await expect.poll(buttonNames).toEqual(["Check again"]);
});

it("stays as it was where its cancellation doesn't reach the server, says so and can be tried again", async () => {
  const { answer, press, payment } = await openPayment(UNDER_WAY);
  answer({ [CANCEL]: ["lost", { body: CANCELED }] });
  await press("Cancel payment");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("We couldn't cancel the payment");
  expect(payment()).toEqual(KNOWN);
  await press("Cancel payment");
  await expect.poll(payment).toEqual(CANCELED);
});
