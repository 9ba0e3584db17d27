import { QueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import type { PaymentResponse, Quote } from "../../../worker/contract/money/payments.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import * as payments from "../../../web/api/queries/payments.ts";
import { renewalQuery, savedCardsQuery } from "../../../web/api/queries/saved-cards.ts";
import { usePaymentForm } from "../../../web/features/checkout/use-payment-form.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { m } from "../../../web/messages/messages.js";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { htmlOfPart } from "../../support/page-part.ts";
import { QUOTE } from "../payments/payment-fixture.ts";

/** With some points. */
const QUOTE_IN_PART: Quote = { ...QUOTE, points: 40, pointsCents: 100, totalCents: 4922, priceId: "price" };
const ORDER = {
  plan: "7days",
  points: 40,
  totalCents: 4922,
  currency: "USD",
  lastPaymentId: "before",
  priceId: "price",
  renewal: null,
  savesCard: false,
};

type FormProps = Parameters<typeof usePaymentForm>[0];
type StripeAnswer = { error?: { type: string; code?: string; decline_code?: string } };

/** The calls of the page to the server and to Stripe, in this order. */
let asked: [what: string, input: unknown][];
let prepared: { paymentId: string; clientSecret: string | null } | Error;
let checked: StripeAnswer;
let confirmed: StripeAnswer | "lost";
/** The payment as the server knows it after a failure. */
let status: string | Error;

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  createBrowserHarness();
  [asked, checked, confirmed, status] = [[], {}, {}, "open"];
  prepared = { paymentId: "p1", clientSecret: "secret" };
  vi.spyOn(payments, "requestPayment").mockImplementation(async (order) => {
    asked.push(["prepare", order]);
    if (prepared instanceof Error) throw prepared;
    return { ...prepared, quote: QUOTE_IN_PART };
  });
  vi.spyOn(QueryClient.prototype, "fetchQuery").mockImplementation(async ({ queryKey }) => {
    asked.push(["look", queryKey]);
    if (status instanceof Error) throw status;
    return { payment: { status } } as unknown as PaymentResponse;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const stripe = {
  confirmPayment: async (input: unknown) => {
    asked.push(["confirm", input]);
    if (confirmed === "lost") throw new TypeError("Failed to fetch");
    return confirmed;
  },
};
const fieldsOf = (name: string) => ({
  name,
  submit: async () => {
    asked.push(["check", name]);
    return checked;
  },
});
const elements = fieldsOf("card");
const CARD = { stripe, elements } as unknown as NonNullable<FormProps["card"]>;
const WALLET = { stripe, elements: fieldsOf("wallet") } as unknown as Parameters<
  ReturnType<typeof usePaymentForm>["payWith"]
>[0];
const SAVED = { stripe, savedCardId: "pm_1" } as unknown as NonNullable<FormProps["card"]>;

/** Pays with the form, or with a wallet beside it. */
async function pay(given: Partial<FormProps> = {}, wallet: typeof WALLET | null = null) {
  const said: unknown[] = [];
  const invalidated = vi.spyOn(QueryClient.prototype, "invalidateQueries");
  const opened: {
    payment: ReturnType<typeof usePaymentForm>;
    router: ReturnType<typeof useRouter>;
  }[] = [];
  const Form = () => {
    const props: FormProps = {
      quote: QUOTE_IN_PART,
      lastPaymentId: "before",
      card: CARD,
      onInvalidCard: () => said.push("invalid card"),
      onUnpaid: (message) => said.push(message),
      ...given,
    };
    opened.push({ payment: usePaymentForm(props), router: useRouter() });
    return null;
  };
  await htmlOfPart(createElement(Form), { path: "/flex/payments?plan=7days" });
  const [form] = opened;
  if (!form) throw new Error("the form was not rendered");
  const { payment, router } = form;
  const navigated = vi.spyOn(router, "navigate").mockResolvedValue();
  payment.form.mount();
  const isShown = wallet ? await payment.payWith(wallet) : await payment.form.handleSubmit();
  return {
    payment,
    isShown,
    said,
    shown: navigated.mock.calls.map(([to]) => to),
    error: payment.form.state.errors[0] as unknown,
    outdated: invalidated.mock.calls.map(([filters]) => filters?.queryKey),
  };
}

const confirmation = (paidWith: object, confirmParams: object = {}) => ({
  ...paidWith,
  clientSecret: "secret",
  confirmParams: {
    return_url: "https://jornada.test/flex/payments?plan=7days&payment=p1",
    ...confirmParams,
  },
  redirect: "if_required",
});
/** In place of the form, so that the way back leads to none that has paid. */
const outcomeAs = (redirect_status: string) => [
  { from: "/flex/payments", search: { plan: "7days", payment: "p1", redirect_status }, replace: true },
];
const PAID = outcomeAs("succeeded");
const AWAITED = outcomeAs("requires_action");
const UNPAID: object[] = [];

it.each<[what: string, given: Partial<FormProps>, order: object, confirmParams: object]>([
  ["once", {}, {}, {}],
  ["and from then on", { renews: true }, { renewal: { capCents: 6000, words: RENEWAL_WORDS } }, {}],
  [
    "with a card that Stripe keeps",
    { saves: true },
    { savesCard: true },
    { payment_method_data: { allow_redisplay: "always" } },
  ],
])("pays %s just what the driver saw, and shows the outcome", async (_what, given, order, confirmParams) => {
  const { shown, error, said, outdated } = await pay(given);
  expect(asked).toEqual([
    ["check", "card"],
    ["prepare", { ...ORDER, ...order }],
    ["confirm", confirmation({ elements }, confirmParams)],
  ]);
  expect({ shown, error, said }).toEqual({ shown: PAID, error: undefined, said: [] });
  expect(outdated).toEqual([savedCardsQuery.queryKey, renewalQuery.queryKey]);
});

it("pays with the card that Stripe keeps already, which has no fields to check", async () => {
  const { shown } = await pay({ card: SAVED });
  expect(asked).toEqual([
    ["prepare", ORDER],
    ["confirm", confirmation({}, { payment_method: "pm_1" })],
  ]);
  expect(shown).toEqual(PAID);
});

it("pays with a wallet in place of the card, which is not kept then", async () => {
  const { isShown, shown, payment } = await pay({ saves: true }, WALLET);
  expect(asked.slice(0, 2)).toEqual([
    ["check", "wallet"],
    ["prepare", ORDER],
  ]);
  expect(asked[2]?.[1]).toMatchObject({ elements: { name: "wallet" } });
  expect([isShown, shown]).toEqual([true, PAID]);
  asked = [];
  await payment.form.handleSubmit();
  expect(asked[0]).toEqual(["check", "card"]);
});

it("pays with no second thing while it pays", async () => {
  const { payment } = await pay();
  asked = [];
  const first = payment.form.handleSubmit();
  expect(await payment.payWith(WALLET)).toBe(false);
  await first;
  expect(asked.filter(([what]) => what === "prepare")).toHaveLength(1);
});

it.each<[what: string, card: FormProps["card"], secret: string | null, calls: string[]]>([
  ["points pay for all of it", null, null, ["prepare"]],
  ["no fields are there, though something is left to pay", null, "secret", ["prepare"]],
  ["nothing was left to pay", CARD, null, ["check", "prepare"]],
])("asks no bank where %s", async (_what, card, clientSecret, calls) => {
  prepared = { paymentId: "p1", clientSecret };
  const { shown } = await pay({ card });
  expect([asked.map(([what]) => what), shown]).toEqual([calls, PAID]);
});

const INVALID = { error: { type: "validation_error" } };

it.each([
  ["before anything is prepared", INVALID, {}, ["check"]],
  ["when it is charged", {}, INVALID, ["check", "prepare", "confirm"]],
])("leaves it to Stripe's fields to say what is wrong with them %s", async (_what, first, then, calls) => {
  [checked, confirmed] = [first, then];
  const typed = await pay();
  expect([asked.map(([what]) => what), typed.said, typed.error, typed.shown]).toEqual([
    calls,
    ["invalid card"],
    undefined,
    UNPAID,
  ]);
  expect((await pay({}, WALLET)).isShown).toBe(false);
});

it("says why a card that can't be checked was declined, and prepares nothing", async () => {
  checked = { error: { type: "card_error", code: "incorrect_number" } };
  const { said, error, shown } = await pay();
  const message = { title: m.decline_number() };
  expect({ asked, said, error, shown }).toEqual({
    asked: [["check", "card"]],
    said: [message],
    error: message,
    shown: UNPAID,
  });
});

const refused = (title: string) => ({ title, hint: m.pay_not_charged() });
const LOST = { title: m.pay_answer_lost(), hint: m.pay_answer_lost_text() };

it.each<[declined: string | null, code: string | null, message: string]>([
  ["generic_decline", "card_declined", m.decline_generic()],
  ["do_not_honor", "card_declined", m.decline_generic()],
  ["fraudulent", "card_declined", m.decline_generic()],
  ["a reason of tomorrow", "card_declined", m.decline_generic()],
  [null, "card_declined", m.decline_generic()],
  ["insufficient_funds", "card_declined", m.decline_funds()],
  ["lost_card", "card_declined", m.decline_lost()],
  ["stolen_card", "card_declined", m.decline_lost()],
  ["expired_card", "card_declined", m.decline_expired()],
  [null, "expired_card", m.decline_expired()],
  ["incorrect_cvc", "card_declined", m.decline_cvc()],
  ["invalid_cvc", "card_declined", m.decline_cvc()],
  ["incorrect_number", "card_declined", m.decline_number()],
  ["invalid_number", "card_declined", m.decline_number()],
  ["incorrect_zip", "card_declined", m.decline_zip()],
  [null, "postal_code_invalid", m.decline_zip()],
  ["processing_error", "card_declined", m.decline_processing()],
  ["try_again_later", "card_declined", m.decline_processing()],
  [null, "rate_limit", m.decline_processing()],
  ["card_velocity_exceeded", "card_declined", m.decline_limit()],
  ["withdrawal_count_limit_exceeded", "card_declined", m.decline_limit()],
  ["card_not_supported", "card_declined", m.decline_unsupported()],
  ["currency_not_supported", "card_declined", m.decline_unsupported()],
  ["authentication_required", "card_declined", m.decline_authentication()],
  [null, "payment_intent_authentication_failure", m.decline_authentication()],
  [null, "a code of tomorrow", m.decline_generic()],
  [null, null, m.decline_generic()],
])(
  "says of a card declined as %s by %s that nothing was charged, and why",
  async (declined, code, message) => {
    confirmed = {
      error: {
        type: "card_error",
        ...(code !== null && { code }),
        ...(declined !== null && { decline_code: declined }),
      },
    };
    const { said, error, shown, isShown } = await pay({}, WALLET);
    expect({ said, error, shown, isShown }).toEqual({
      said: [refused(message)],
      error: refused(message),
      shown: UNPAID,
      isShown: false,
    });
    expect(asked.at(-1)).toEqual(["look", payments.paymentQuery("p1").queryKey]);
  },
);

it.each<[what: string, answer: typeof confirmed, message: object]>([
  ["an answer never came", "lost", LOST],
  ["Stripe itself failed", { error: { type: "api_error" } }, LOST],
  [
    "Stripe itself failed, for a reason like a card's",
    { error: { type: "api_error", code: "expired_card" } },
    LOST,
  ],
  [
    "the driver didn't confirm it",
    { error: { type: "invalid_request_error", code: "payment_intent_authentication_failure" } },
    refused(m.decline_authentication()),
  ],
])("tells a refusal from an answer that is missing: %s", async (_what, answer, message) => {
  confirmed = answer;
  const { said, error, shown } = await pay();
  expect({ said, error, shown }).toEqual({ said: [message], error: message, shown: UNPAID });
});

it("has no reason where Stripe's fields fail for none that is known", async () => {
  checked = { error: { type: "api_error" } };
  expect((await pay()).error).toEqual({ title: m.decline_unknown() });
});

it.each<[what: string, known: typeof status]>([
  ["has gone through all the same", "settled"],
  ["is with the bank", "processing"],
  ["can't be looked up now", new RequestError(0, "network")],
])("shows the outcome after a failure where the payment %s", async (_what, known) => {
  [confirmed, status] = ["lost", known];
  const { said, error, shown } = await pay();
  expect({ said, error, shown }).toEqual({ said: [], error: undefined, shown: AWAITED });
});

it("asks for the price again where the server prepared nothing, and says why", async () => {
  prepared = new RequestError(409, "price_changed");
  const { said, error, shown, outdated } = await pay();
  expect({ said, shown }).toEqual({ said: [], shown: UNPAID });
  expect(error).toEqual({ title: m.pay_prepare_failed(), hint: m.problem_price_changed() });
  expect(outdated).toEqual([payments.plansQuery.queryKey, ["quote"]]);
  expect(asked.map(([what]) => what)).toEqual(["check", "prepare"]);
});
