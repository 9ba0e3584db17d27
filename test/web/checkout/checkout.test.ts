import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { PlansResponse, Quote } from "../../../worker/contract/money/payments.ts";
import { quoteQuery } from "../../../web/api/queries/payments.ts";
import { renewalQuery } from "../../../web/api/queries/saved-cards.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { Checkout } from "../../../web/features/checkout/checkout.tsx";
// Loaded by now, so that what the screen loads later isn't under way when the file ends.
import { PointsForm } from "../../../web/features/checkout/points-form.tsx";
import "../../../web/features/checkout/card-form.tsx";
import { OrderSummary } from "../../../web/features/checkout/order-summary.tsx";
import { PurchaseTerms, PurchaseTermsLink } from "../../../web/features/checkout/purchase-terms.tsx";
import { useStripeAppearance } from "../../../web/features/checkout/stripe.ts";
import { pointsStore } from "../../../web/features/payments/points-slider.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";
import { PLANS, QUOTE } from "../payments/payment-fixture.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => {
  pointsStore.setState(() => 0);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const CONFIG = { productName: "Jornada", currency: "USD", stripePublishableKey: "pk_test_1" };

async function htmlWith(
  part: ReactNode,
  { quote = QUOTE, config = CONFIG as object, renewal = null as unknown } = {},
) {
  return htmlOfPart(part, {
    path: "/flex/payments",
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, config],
      [renewalQuery.queryKey, renewal],
      [quoteQuery({ plan: "7days", points: 0 }, { payCents: null, serviceUntil: null }).queryKey, quote],
    ],
  });
}

const checkoutWith = (plansResponse: PlansResponse, given: Parameters<typeof htmlWith>[1] = {}) =>
  htmlWith(createElement(Checkout, { plan: "7days", plansResponse }), given);

it("shows as settled the price of the plan that is chosen", async () => {
  const busy = [...(await checkoutWith(PLANS)).matchAll(/aria-busy="(\w+)"/gu)];
  expect(busy.map(([, isBusy]) => isBusy)).toEqual(["false", "false"]);
});

it("leaves the bar with the total in its place until the card is filled in", async () => {
  const html = await checkoutWith(PLANS);
  const [bar = ""] = /<section[^>]*data-testid="pay-bar"[^>]*>/u.exec(html) ?? [];
  expect(/class="([^"]*)"/u.exec(bar)?.[1]?.split(" ")).not.toContain("pay-bar");
  expect(bar).toContain("asphalt");
});

it("has renewal neither chosen nor agreed to before the driver does", async () => {
  const html = await checkoutWith(PLANS);
  const [box = ""] = /<input[^>]*name="renews"[^>]*>/u.exec(html) ?? [];
  expect(box).toContain('type="checkbox"');
  expect(box).not.toContain("checked");
  expect(html).not.toContain("at most $60");
});

it.each<[what: string, balance: number, cost: number, points: number]>([
  ["as many as were asked for", 900, 800, 500],
  ["as many as there are", 300, 800, 300],
  ["as many as pay for all of it", 900, 400, 400],
  ["none of another plan's", 900, 0, 0],
])("asks for the price with %s of the points", async (_what, balance, cost, points) => {
  pointsStore.setState(() => 500);
  const plan = { plan: "7days", days: 7, priceCents: 5000, discount: null, payCents: 4500 } as const;
  const plans = cost === 0 ? [] : [{ ...plan, perDayCents: 643, pointsCost: cost }];
  const plansResponse = { ...PLANS, points: balance, plans };
  const html = await htmlOfPart(createElement(Checkout, { plan: "7days", plansResponse }), {
    path: "/flex/payments",
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, CONFIG],
      [renewalQuery.queryKey, null],
      [
        quoteQuery({ plan: "7days", points }, { payCents: cost === 0 ? null : 4500, serviceUntil: null })
          .queryKey,
        QUOTE,
      ],
    ],
  });
  expect(html.includes('data-testid="total"')).toBe(true);
});

it("says of days in points that nothing renews", async () => {
  const quote = { ...QUOTE, totalCents: 0, points: 700 };
  const html = await htmlWith(createElement(PointsForm, { quote, isStale: false, lastPaymentId: null }));
  expect(textsIn(html).some((text) => text.includes("nothing renews"))).toBe(true);
  expect(html).not.toContain("at most $60");
});

const NO_CARDS = "Card payments aren't available right now";
const PAY_LATER = "You can try a card again at 1:00 PM";
const RENEW = "Renew when my days run out";

it.each<
  [what: string, plans: Partial<PlansResponse>, given: Parameters<typeof htmlWith>[1], texts: string[]]
>([
  ["with a card", {}, {}, [RENEW]],
  ["with a card, while a renewal is on", {}, { renewal: { status: "on" } }, []],
  ["in points", {}, { quote: { ...QUOTE, totalCents: 0 } }, []],
  ["without cards", { cardsReady: false }, {}, [NO_CARDS]],
  ["without cards, in points", { cardsReady: false }, { quote: { ...QUOTE, totalCents: 0 } }, []],
  ["without a key", {}, { config: { ...CONFIG, stripePublishableKey: null } }, [NO_CARDS]],
  ["after several declines", { pausedUntil: NOON + HOUR_MS }, {}, [PAY_LATER]],
])(
  "asks about renewal only where a card pays, and says why none can: %s",
  async (_what, plans, given, texts) => {
    vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
    const shown = textsIn(await checkoutWith({ ...PLANS, ...plans }, given));
    expect(shown.filter((text) => [NO_CARDS, PAY_LATER, RENEW].includes(text))).toEqual(texts);
    expect(shown.includes("Total")).toBe(!texts.some((text) => text === NO_CARDS || text === PAY_LATER));
  },
);

const ENTERS = "This payment enters the raffle.";
const DETAILS = "How it's drawn";
const NOT_WITH_POINTS = "Payments made with points don't enter the raffle.";
const RAFFLE = { id: "r1", plan: "7days", endsAt: NOON, winners: 1 } as const;

it.each<[what: string, quote: Partial<Quote>, raffle: PlansResponse["raffle"], texts: string[]]>([
  ["enters it", { entersRaffle: true }, RAFFLE, [ENTERS, DETAILS]],
  ["enters one that has just ended", { entersRaffle: true }, null, [ENTERS]],
  ["is partly in points", { points: 5, pointsCents: 100 }, RAFFLE, [NOT_WITH_POINTS]],
  ["is in points, of another plan", { points: 5, pointsCents: 100 }, { ...RAFFLE, plan: "30days" }, []],
  ["is in money, and enters none", {}, RAFFLE, []],
])("says what a payment has to do with the raffle: it %s", async (_what, over, raffle, texts) => {
  const quote = { ...QUOTE, ...over };
  const part = createElement(OrderSummary, {
    quote,
    isStale: false,
    plansResponse: { ...PLANS, raffle },
    points: 0,
    maxPoints: 0,
  });
  const html = await htmlWith(part);
  const known = [ENTERS, DETAILS, NOT_WITH_POINTS];
  expect(textsIn(html).filter((text) => known.includes(text))).toEqual(texts);
  expect(html.includes('href="/raffle/r1"')).toBe(texts.includes(DETAILS));
});

it.each<
  [
    what: string,
    given: { totalCents: number; renews: boolean; status: string | null },
    long: string,
    short: string,
  ]
>([
  [
    "once",
    { totalCents: 5022, renews: false, status: null },
    "You pay $50.22 once for 7 days of service. Nothing renews on its own.",
    "Paid once, nothing renews.",
  ],
  [
    "once, in points",
    { totalCents: 0, renews: false, status: null },
    "You get 7 days of service for your points. Nothing renews on its own.",
    "Paid once, nothing renews.",
  ],
  [
    "with a renewal",
    { totalCents: 5022, renews: true, status: null },
    "You pay $50.22 now for 7 days of service. Before it ends we'll charge your card for the same plan, at most $60, until you turn renewal off.",
    "Renews for at most $60. Turn it off anytime.",
  ],
  [
    "beside a renewal",
    { totalCents: 5022, renews: false, status: "on" },
    "This payment adds 7 days of service. Your renewal stays on and moves to your new end date.",
    "Your renewal stays on.",
  ],
  [
    "beside a renewal that was turned off",
    { totalCents: 5022, renews: false, status: "off" },
    "You pay $50.22 once for 7 days of service. Nothing renews on its own.",
    "Paid once, nothing renews.",
  ],
])("says what is paid and agreed to: %s", async (_what, { totalCents, renews, status }, long, short) => {
  const props = { quote: { ...QUOTE, totalCents }, renews };
  const renewal = status && { status };
  const [paid] = textsIn(await htmlWith(createElement(PurchaseTerms, props), { renewal }));
  const bar = textsIn(await htmlWith(createElement(PurchaseTermsLink, props), { renewal }));
  expect([paid, bar.join(" ")]).toEqual([
    long,
    `${short} By paying you accept our refund policy and terms .`,
  ]);
});

it("has the card form in the page's colors, its fields' borders too", async () => {
  const colors: Record<string, string> = { "--edge": "#010203", "--focus": "#040506", "--ink": "#070809" };
  let painted = [0, 0, 0, 0];
  const context = {
    set fillStyle(color: string) {
      painted = [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16) || 0);
    },
    fillRect: () => undefined,
    getImageData: () => ({ data: Uint8Array.from([...painted, 255]) }),
  };
  vi.stubGlobal("document", {
    documentElement: { dataset: { theme: "dark" } },
    createElement: () => ({ getContext: () => context }),
  });
  vi.stubGlobal("getComputedStyle", () => ({
    getPropertyValue: (name: string) => ` ${colors[name] ?? "#0a0b0c"} `,
  }));
  const Shown = () => JSON.stringify(useStripeAppearance());
  const html = renderToStaticMarkup(createElement(Shown));
  const other = "#0a0b0c";
  expect(JSON.parse(html.replaceAll("&quot;", '"'))).toMatchObject({
    theme: "night",
    variables: {
      colorPrimary: "#070809",
      colorBackground: other,
      colorText: "#070809",
      colorTextSecondary: other,
      colorTextPlaceholder: other,
      colorDanger: other,
    },
    rules: {
      ".Input": { border: "1px solid #010203", boxShadow: "none" },
      ".Input:focus": { border: "1px solid #040506", boxShadow: "0 0 0 2px #040506" },
      ".Label": { fontWeight: "600", color: "#070809" },
    },
  });
});
