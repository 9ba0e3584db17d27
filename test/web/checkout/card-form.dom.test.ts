import { act, screen } from "@testing-library/react";
import type { Stripe } from "@stripe/stripe-js";
import { onlineManager } from "@tanstack/react-query";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { PlansResponse, PrepareResponse } from "../../../worker/contract/money/payments.ts";
import { quoteQuery } from "../../../web/api/queries/payments.ts";
import { cardSessionQuery, renewalQuery } from "../../../web/api/queries/saved-cards.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
// Loaded by now, so that what the screen loads later isn't under way when the file ends.
import "../../../web/features/checkout/card-form.tsx";
import { Checkout } from "../../../web/features/checkout/checkout.tsx";
import * as loader from "../../../web/features/checkout/stripe.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { pointsStore } from "../../../web/features/payments/points-slider.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { makePayment, PLANS, QUOTE } from "../payments/payment-fixture.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));
afterEach(() => {
  pointsStore.setState(() => 0);
  vi.restoreAllMocks();
});

const WEEK_FOR_SALE: PlansResponse = {
  ...PLANS,
  points: 900,
  plans: [
    {
      plan: "7days",
      days: 7,
      priceCents: 5000,
      discount: null,
      payCents: 5000,
      perDayCents: 714,
      pointsCost: 900,
    },
  ],
};
const PREPARE = "POST /flex/v1/payments/prepare";
const QUOTED = "POST /flex/v1/payments/quote";
const PREPARED: PrepareResponse = { paymentId: "payment1", clientSecret: "secret", quote: QUOTE };
const OPEN_PAYMENT = makePayment({ id: "payment1", status: "open" });
const PAY = "Pay $50.22";
const SAVE = "Save this card for next time";
type Confirmation = { elements: unknown; confirmParams: Record<string, unknown> };

/** Stripe's library, whose fields and wallets do what a test makes them report. */
function standInStripe() {
  const groups: { options: unknown }[] = [];
  const drawn = new Map<string, (event: string, detail?: unknown) => void>();
  const confirmed: Confirmation[] = [];
  let confirm: () => unknown = () => ({});
  const makeGroup = (options: unknown) => {
    const group = {
      options,
      create: (type: string) => {
        const handlers = new Map<string, (detail?: unknown) => void>();
        drawn.set(type, (event, detail) => act(() => handlers.get(event)?.(detail)));
        return {
          on: (event: string, handler: (detail?: unknown) => void) => void handlers.set(event, handler),
          off: (event: string) => void handlers.delete(event),
          mount: () => undefined,
          destroy: () => undefined,
          update: () => undefined,
        };
      },
      update: (changed: object) =>
        void Object.assign(group, { options: { ...(group.options as object), ...changed } }),
      submit: async () => ({}),
    };
    groups.push(group);
    return group;
  };
  const unused = () => undefined;
  const stripe = {
    elements: makeGroup,
    createToken: unused,
    createPaymentMethod: unused,
    confirmCardPayment: unused,
    confirmPayment: async (input: Confirmation) => {
      confirmed.push(input);
      return confirm();
    },
  };
  return {
    stripe: stripe as unknown as Stripe,
    groups,
    confirmed,
    declines: (code: string) => {
      confirm = () => ({ error: { type: "card_error", code } });
    },
    /** The answer to a payment is lost with the connection. */
    losesAnswer: () => {
      confirm = () => {
        loseConnection();
        throw new TypeError("Failed to fetch");
      };
    },
    /** The fields, or the wallets, report an event. */
    report: async (of: "payment" | "expressCheckout", event: string, detail?: unknown) => {
      await expect.poll(() => drawn.has(of)).toBe(true);
      drawn.get(of)?.(event, detail);
    },
  };
}

async function openCheckout() {
  const network = scriptNetwork();
  network.answer({ [PREPARE]: { body: PREPARED } });
  const library = standInStripe();
  vi.spyOn(loader, "loadStripeOnce").mockResolvedValue(library.stripe);
  const part = await renderPart(createElement(Checkout, { plan: "7days", plansResponse: WEEK_FOR_SALE }), {
    path: "/flex/payments?plan=7days",
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { productName: "Jornada", currency: "USD", stripePublishableKey: "pk_test_1" }],
      [renewalQuery.queryKey, null],
      [cardSessionQuery.queryKey, { clientSecret: "session" }],
      [quoteQuery({ plan: "7days", points: 0 }, { payCents: 5000, serviceUntil: null }).queryKey, QUOTE],
    ],
  });
  const box = () => screen.queryByRole<HTMLInputElement>("checkbox", { name: SAVE });
  return {
    ...network,
    ...part,
    ...library,
    press: async (name: string) => part.user.click(await screen.findByRole("button", { name })),
    box,
    /** The fields are there, with a card that is typed into them or one that was saved. */
    fill: async (paymentMethod?: { id: string }) => {
      await library.report("payment", "ready");
      await library.report("payment", "change", {
        complete: true,
        value: { type: "card", ...(paymentMethod && { payment_method: paymentMethod }) },
      });
    },
    orders: () => network.calls.filter(({ operation }) => operation === PREPARE).map(({ body }) => body),
  };
}

/** The device has no connection until the test ends. */
function loseConnection(): void {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
  onTestFinished(() => onlineManager.setOnline(true));
}

/** A tap on a wallet: what its sheet is opened with, or that it isn't. */
async function tap(report: ReturnType<typeof standInStripe>["report"]) {
  const answered: unknown[] = [];
  await report("expressCheckout", "click", {
    resolve: (given: unknown) => answered.push(given),
    reject: () => answered.push("rejected"),
  });
  return answered;
}

it("opens a wallet's sheet with lines that add up to the total", async () => {
  const { report } = await openCheckout();
  const lineItems = [
    { name: expect.stringContaining("7 days"), amount: 5000 },
    { name: expect.any(String), amount: 22 },
  ];
  expect(await tap(report)).toEqual([{ lineItems }]);
});

it("opens no wallet's sheet for a price that is being asked for anew, and then one for the new price", async () => {
  const { report, answer } = await openCheckout();
  await tap(report);
  const arrival = Promise.withResolvers<void>();
  const cheaper = { ...QUOTE, points: 90, pointsCents: 500, feeCents: 20, totalCents: 4520 };
  answer({ [QUOTED]: { body: cheaper, after: arrival.promise } });
  act(() => pointsStore.setState(() => 90));
  expect(await tap(report)).toEqual(["rejected"]);
  arrival.resolve();
  await screen.findByRole("button", { name: "Pay $45.20" });
  await expect
    .poll(async () => tap(report))
    .toMatchObject([{ lineItems: [{ amount: 4500 }, { amount: 20 }] }]);
});

it("opens no wallet's sheet without a connection", async () => {
  const { report } = await openCheckout();
  await tap(report);
  loseConnection();
  expect(await tap(report)).toEqual(["rejected"]);
});

it("pays by the wallet, whose card isn't saved, and shows the outcome", async () => {
  const { report, fill, user, box, orders, confirmed, groups, address } = await openCheckout();
  await fill();
  await user.click(box() ?? document.body);
  const paymentFailed = vi.fn<() => void>();
  await report("expressCheckout", "confirm", { paymentFailed });
  await expect.poll(address).toBe("/flex/payments?plan=7days&payment=payment1&redirect_status=succeeded");
  expect(orders()).toMatchObject([{ totalCents: 5022, savesCard: false }]);
  expect([
    confirmed.length,
    groups.indexOf(confirmed[0]?.elements as never),
    paymentFailed.mock.calls,
  ]).toEqual([1, 1, []]);
});

it("tells the wallet's sheet that the payment failed, and the driver why", async () => {
  const { report, fill, answer, declines } = await openCheckout();
  await fill();
  declines("expired_card");
  answer({ "GET /flex/v1/payments/payment1": { body: { payment: OPEN_PAYMENT, serviceUntil: null } } });
  const paymentFailed = vi.fn<() => void>();
  await report("expressCheckout", "confirm", { paymentFailed });
  await expect.poll(() => paymentFailed.mock.calls).toEqual([[{ reason: "fail" }]]);
  expect((await screen.findByRole("alert")).textContent).toContain("expired");
  answer({ [PREPARE]: refusalReply("price_changed"), [QUOTED]: { body: QUOTE } });
  await report("expressCheckout", "confirm", { paymentFailed });
  await expect.poll(() => paymentFailed.mock.calls).toHaveLength(2);
  expect((await screen.findByRole("alert")).textContent).toContain("price");
});

it("pays once by the card that is typed, however often the button is pressed, and not before there are fields", async () => {
  const { report, fill, press, answer, orders, confirmed, groups, address } = await openCheckout();
  const arrival = Promise.withResolvers<void>();
  answer({ [PREPARE]: { body: PREPARED, after: arrival.promise } });
  await report("expressCheckout", "ready", { availablePaymentMethods: undefined });
  await press(PAY);
  expect(orders()).toEqual([]);
  await fill();
  await press(PAY);
  await press("Paying…");
  arrival.resolve();
  await expect.poll(address).toContain("payment=payment1");
  expect([orders().length, groups.indexOf(confirmed[0]?.elements as never)]).toEqual([1, 0]);
});

it("shows the payment, whose outcome isn't known, where its answer was lost with the connection", async () => {
  const { fill, press, answer, losesAnswer, address } = await openCheckout();
  answer({ "GET /flex/v1/payments/payment1": "lost" });
  losesAnswer();
  await fill();
  await press(PAY);
  await expect.poll(address).toContain("payment=payment1&redirect_status=requires_action");
});

it("saves the card that is typed where the driver ticks it, and no saved one once more", async () => {
  const { fill, user, box, press, orders, confirmed } = await openCheckout();
  await fill();
  await user.click(box() ?? document.body);
  expect(box()?.checked).toBe(true);
  await fill({ id: "pm_1" });
  expect(box()).toBeNull();
  await fill();
  expect(box()?.checked).toBe(false);
  await user.click(box() ?? document.body);
  await press(PAY);
  await expect.poll(orders).toMatchObject([{ savesCard: true, renewal: null }]);
  await expect.poll(() => confirmed).toHaveLength(1);
});

it("doesn't ask whether to save a card that a renewal keeps anyway", async () => {
  const { fill, user, box, press, orders } = await openCheckout();
  await fill();
  await user.click(box() ?? document.body);
  await user.click(screen.getByRole("checkbox", { name: "Renew when my days run out" }));
  expect(box()).toBeNull();
  await press(PAY);
  await expect.poll(orders).toMatchObject([{ savesCard: false, renewal: { capCents: 6000 } }]);
});

it("says that the card's fields can't be loaded, and loads them again at a press", async () => {
  const { report, press, fill, orders } = await openCheckout();
  await report("payment", "loaderror");
  expect((await screen.findByRole("alert")).textContent).toContain("card");
  expect(screen.queryByRole("button", { name: PAY })).toBeNull();
  await press("Try again");
  await screen.findByRole("button", { name: PAY });
  await fill();
  await press(PAY);
  await expect.poll(orders).toHaveLength(1);
});
