import { Hono } from "hono";
import { z } from "zod";
import { parse } from "../problem.ts";
import type { Stage } from "../state.ts";
import { methodOf, type Act } from "./act.ts";
import { held } from "./browser-calls.ts";
import { answerChallenge } from "./intents.ts";
import { answeredPage, bankPage, nothingPage, receiptPage } from "./page/bank-page.ts";
import { ELEMENT_PAGE } from "./page/element-page.ts";
import { STRIPE_JS } from "./page/stripe-js.ts";
import { walletSheetPage, walletsPage } from "./page/wallet-pages.ts";
import { switchesOf } from "./switches.ts";

const question = z.object({
  payment_intent: z.string(),
  payment_intent_client_secret: z.string(),
});

const sheet = z.object({
  wallet: z.string(),
  lines: z.string().transform((text) => z.array(z.array(z.string())).parse(JSON.parse(text))),
});

/** Stripe's pages for browsers: stripe.js, the card's frame, the bank's challenge, receipts. */
export function stripePageRoutes({ state }: Stage, actOf: (requestUrl: string) => Act) {
  return new Hono()
    .get("/sandbox/stripe.js", (c) => {
      c.header("content-type", "text/javascript; charset=utf-8");
      c.header("cache-control", "no-cache");
      return c.body(STRIPE_JS);
    })
    .get("/sandbox/stripe/element", (c) => c.html(ELEMENT_PAGE))
    .get("/sandbox/stripe/wallets", (c) => c.html(walletsPage(switchesOf(state).wallets)))
    .get("/sandbox/stripe/wallet-sheet", (c) => c.html(walletSheetPage(parse(sheet, c.req.query()))))
    .get("/sandbox/stripe/bank", (c) => {
      const given = parse(question, c.req.query());
      const intent = held(actOf(c.req.url), given.payment_intent, given.payment_intent_client_secret);
      if (intent.status !== "requires_action") return c.html(nothingPage());
      return c.html(bankPage({ amount: money(intent), framed: intent.challenge?.kind === "sdk" }));
    })
    .post("/sandbox/stripe/bank", async (c) => {
      const given = parse(question, c.req.query());
      const act = actOf(c.req.url);
      const intent = held(act, given.payment_intent, given.payment_intent_client_secret);
      if (intent.status !== "requires_action") return c.html(nothingPage());
      const { challenge } = intent;
      const { outcome } = await c.req.parseBody();
      const answered = answerChallenge(act, intent, outcome === "complete");
      if (challenge?.kind !== "redirect" || challenge.returnUrl === null) return c.html(answeredPage());
      const back = new URL(challenge.returnUrl);
      back.searchParams.set("payment_intent", answered.id);
      back.searchParams.set("payment_intent_client_secret", answered.clientSecret);
      back.searchParams.set("redirect_status", answered.status === "succeeded" ? "succeeded" : "failed");
      return c.redirect(back.href, 303);
    })
    .get("/sandbox/stripe/receipts/:id", (c) => {
      const charge = state.payments.charges.get(c.req.param("id"));
      if (!charge || charge.decline !== null) return c.html(nothingPage(), 404);
      const { brand, last4 } = methodOf(state, charge.methodId);
      const { currency, refundedAmount } = charge;
      const refunded = refundedAmount === 0 ? null : money({ amount: refundedAmount, currency });
      return c.html(receiptPage({ amount: money(charge), card: `${brand} ${last4}`, refunded }));
    });
}

const money = ({ amount, currency }: { amount: number; currency: string }): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount / 100);
