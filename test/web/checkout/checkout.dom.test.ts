import { screen } from "@testing-library/react";
import { act, createElement, useState } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { PlansResponse } from "../../../worker/contract/money/payments.ts";
import { quoteQuery } from "../../../web/api/queries/payments.ts";
import { cardSessionQuery, renewalQuery } from "../../../web/api/queries/saved-cards.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
// Loaded by now, so that what the screen loads later isn't under way when the file ends.
import "../../../web/features/checkout/card-form.tsx";
import "../../../web/features/checkout/points-form.tsx";
import { Checkout } from "../../../web/features/checkout/checkout.tsx";
import * as stripe from "../../../web/features/checkout/stripe.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NOON } from "../../engine/fixtures.ts";
import type { Answered } from "../../support/console-part.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { PLANS, QUOTE } from "../payments/payment-fixture.ts";

beforeAll(() => changeLocale("en"));
// The processor's library never arrives, so that the card's fields don't either.
beforeEach(() => void vi.spyOn(stripe, "loadStripeOnce").mockReturnValue(new Promise(() => undefined)));
afterEach(() => void vi.restoreAllMocks());

const priced = (plan: PlanForSale, days: number) => ({
  plan,
  days,
  priceCents: 5000,
  discount: null,
  payCents: 5000,
  perDayCents: 5000 / days,
  pointsCost: 0,
});
const PLANS_FOR_SALE: PlansResponse = {
  ...PLANS,
  plans: [priced("3days", 3), priced("7days", 7), priced("14days", 14)],
};

async function openCheckout(plan: PlanForSale, quoted: readonly PlanForSale[] = [plan]) {
  let goOn: (plansResponse: PlansResponse) => void = () => undefined;
  function Screen() {
    const [plansResponse, setPlansResponse] = useState(PLANS_FOR_SALE);
    goOn = setPlansResponse;
    return createElement(Checkout, { plan, plansResponse });
  }
  const part = await renderPart(createElement(Screen), {
    path: `/flex/payments?plan=${plan}`,
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { productName: "Jornada", currency: "USD", stripePublishableKey: "pk_test_1" }],
      [renewalQuery.queryKey, null],
      [cardSessionQuery.queryKey, { clientSecret: "s" }],
      ...quoted.map((plan): Answered => [
        quoteQuery({ plan, points: 0 }, { payCents: 5000, serviceUntil: null }).queryKey,
        { ...QUOTE, plan },
      ]),
    ],
  });
  const radios = () => screen.getAllByRole<HTMLInputElement>("radio");
  return {
    ...part,
    chosen: () => radios().map(({ checked }) => checked),
    /** Has the list of plans say something else. */
    goOn: (plansResponse: PlansResponse) => act(() => goOn(plansResponse)),
  };
}

const RENEWS_BY_CARD = /we'll charge this card for the same plan at its price then, at most \$60\./u;

it("agrees to renewal, with its cap and beside the button, for as long as the driver ticks it", async () => {
  const { user } = await openCheckout("7days");
  const box = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "Renew when my days run out" });
  const agreed = () => [
    box().checked,
    screen.queryByText(RENEWS_BY_CARD)?.id === box().getAttribute("aria-describedby"),
    screen.queryByText(/Renews for at most \$60\. Turn it off anytime\./u) !== null,
    screen.queryByText(/Paid once, nothing renews\./u) !== null,
  ];
  await expect.poll(agreed).toEqual([false, false, false, true]);
  await user.click(box());
  await expect.poll(agreed).toEqual([true, true, true, false]);
  await user.click(box());
  await expect.poll(agreed).toEqual([false, false, false, true]);
});

it.each<[plan: PlanForSale, chosen: boolean[]]>([
  ["3days", [true, false, false]],
  ["7days", [false, true, false]],
  ["14days", [false, false, true]],
])("has the plan chosen that is paid for: %s", async (plan, expected) => {
  const { chosen } = await openCheckout(plan);
  expect(chosen()).toEqual(expected);
});

it("has another plan in its address once that is chosen, and pays nothing at the Enter key", async () => {
  const { user, address } = await openCheckout("7days");
  const fortnight = screen.getByRole<HTMLInputElement>("radio", { name: /14 days/u });
  await user.click(fortnight);
  await expect.poll(address).toBe("/flex/payments?plan=14days");
  expect(fortnight.form).toBeNull();
});

it("says that the price can't be had, and asks for it again", async () => {
  storeSession(localStorage);
  const { answer, count } = scriptNetwork();
  answer({ "POST /flex/v1/payments/quote": [refusalReply("payments_unreachable"), { body: QUOTE }] });
  const { user } = await openCheckout("7days", []);
  expect((await screen.findByRole("alert")).textContent).not.toBe("");
  expect(screen.getAllByRole("radio")).toHaveLength(3);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findAllByText("$50.22")).not.toEqual([]);
  expect([count("POST /flex/v1/payments/quote"), screen.queryByRole("alert")]).toEqual([2, null]);
});

it("asks anew until when a plan lasts once the days that it comes after end at another instant", async () => {
  storeSession(localStorage);
  const { answer } = scriptNetwork();
  const later = { ...QUOTE, serviceUntil: NOON + 3 * DAY_MS };
  answer({ "POST /flex/v1/payments/quote": { body: later } });
  const { goOn } = await openCheckout("7days");
  const until = () => screen.getByTestId("pay-bar").textContent;
  const before = until();
  goOn({ ...PLANS_FOR_SALE, serviceUntil: NOON + 2 * DAY_MS });
  await expect.poll(until).not.toBe(before);
});
