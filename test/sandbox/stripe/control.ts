import { Hono } from "hono";
import { z } from "zod";
import { parse, readBody } from "../problem.ts";
import type { Stage } from "../state.ts";
import { intentOf, type Act } from "./act.ts";
import { bookMovement } from "./bookings.ts";
import { DECLINES, playOf } from "./cards.ts";
import { closeDispute, moveDispute, openDispute, preventDispute } from "./disputes.ts";
import {
  SIGNING_SECRET,
  bodyOf,
  endpointOf,
  postOf,
  setEndpoint,
  setPost,
  sign,
  signingTime,
} from "./events.ts";
import { answerChallenge, cancelIntent, confirmIntent, settleIntent } from "./intents.ts";
import type { openMailer } from "./mailer.ts";
import { addMethod, checkOwner, findMethod } from "./methods.ts";
import { addPast, pastPayment } from "./past.ts";
import { StripeRefusal, missing, refuse } from "./refusal.ts";
import { endRefunds, refundCharge } from "./refunds.ts";
import type { Intent } from "./shapes.ts";
import { setSwitches, switchesOf } from "./switches.ts";
import { chargeView } from "./views/charges.ts";
import { disputeView } from "./views/disputes.ts";
import { intentView } from "./views/intents.ts";
import { methodView } from "./views/methods.ts";
import { refundView } from "./views/refunds.ts";
import { warningView } from "./views/warnings.ts";
import { warnOfFraud } from "./warnings.ts";

const endpoint = z.strictObject({
  url: z.url().nullable(),
  secret: z.string().min(1).default(SIGNING_SECRET),
  /** Older secrets that events are signed with as well. */
  secrets: z.array(z.string().min(1)).default([]),
  /** The types that it gets. */
  events: z.array(z.string()).default(["*"]),
});
const post = z.strictObject({
  delayMs: z.number().min(0).max(120_000).optional(),
  duplicate: z.boolean().optional(),
  shuffle: z.boolean().optional(),
  lose: z.union([z.boolean(), z.int().min(0)]).optional(),
  hold: z.boolean().optional(),
  retryMs: z.number().min(0).max(120_000).optional(),
});
const eventQuery = z.object({
  type: z.string().optional(),
  intent: z.string().optional(),
  after: z.string().optional(),
  last: z.coerce.number().optional(),
  signedAt: z.coerce.number().optional(),
});
const payment = z.strictObject({
  card: z.string().default("4242424242424242"),
  /** As the driver ticks the Payment Element's box, which keeps the card and may show it again. */
  keep: z.boolean().default(false),
  /** A kept method instead of a card. */
  method: z.string().nullable().default(null),
  returnUrl: z.url().nullable().default(null),
  hold: z.boolean().default(false),
  /** Of whose card it is a copy; by default the customer has one of their own. */
  fingerprint: z.string().optional(),
});
const methodChange = z.strictObject({
  expMonth: z.int().optional(),
  expYear: z.int().optional(),
  card: z.string().optional(),
});
const answer = z.strictObject({ outcome: z.enum(["complete", "fail"]) });
const settlement = z.strictObject({ outcome: z.enum(["succeeded", "failed"]) });
const refundOrder = z.strictObject({
  amount: z.int().min(1).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});
const disputeOrder = z.strictObject({
  outcome: z
    .enum(["won", "lost", "resolution", "block", "inquiry", "review", "escalate", "close"])
    .optional(),
  /** Of a dispute that is opened: a part of the charge. */
  amount: z.int().min(1).optional(),
});
const movement = z.strictObject({
  type: z.enum(["payout", "stripe_fee"]),
  amount: z.int().min(1),
  currency: z.string().default("usd"),
});
const past = z.strictObject({ payments: z.array(pastPayment) });
const switches = z.strictObject({
  declineNext: z.enum(Object.keys(DECLINES)).nullable().optional(),
  redirectNext: z.boolean().optional(),
  booksLate: z.boolean().optional(),
  wallets: z.boolean().optional(),
});

type Tools = { mailer: ReturnType<typeof openMailer>; actOf: (requestUrl: string) => Act };

/**
 * The control routes of the simulated Stripe.
 *
 * POST /sandbox/stripe/endpoint { url, secret?, secrets?, events? }: sets the webhook endpoint, for all events unless
 *   some are named; they are signed with all secrets. url null removes it.
 * POST /sandbox/stripe/delivery { delayMs?, duplicate?, shuffle?, lose?, hold?, retryMs? }: how events are delivered;
 *   hold false releases held ones.
 * GET  /sandbox/stripe/events?type=&intent=&after=&last=&signedAt=: oldest first (last: only the newest n), each with
 *   the raw body and a signature to post it with.
 * POST /sandbox/stripe/events/{id}/deliver: delivers one now, even if it was held or lost.
 * GET  /sandbox/stripe/requests: the recorded requests, oldest first.
 * GET  /sandbox/stripe/intents: newest first, with customer, charge and disputes.
 * POST /sandbox/stripe/intents/{id}/pay { card?, keep?, method?, returnUrl?, hold?, fingerprint? }: pays with this
 *   card, which keep saves for the customer, or with a saved method; hold keeps the payment processing. Each customer
 *   has a card of their own with that number, unless fingerprint says whose.
 * POST /sandbox/stripe/methods/{id} { expMonth?, expYear?, card? }: another expiry date, or the behavior of another test card.
 * POST /sandbox/stripe/intents/{id}/authenticate { outcome }: completes or fails 3-D Secure.
 * POST /sandbox/stripe/intents/{id}/settle { outcome }: settles a processing payment as succeeded or failed.
 * POST /sandbox/stripe/intents/{id}/cancel, /refund { amount?, metadata? }, /warn: an early fraud warning; /dispute {
 *   outcome?, amount? }: won or lost closes the dispute, which is opened first if there is none, for a part where
 *   amount says so; resolution and block prevent one; inquiry is a question of the bank, which escalate makes a dispute and
 *   close ends; review submits evidence.
 * POST /sandbox/stripe/movements { type, amount, currency? }: a payout to the bank, or a fee of Stripe's own, of the balance.
 * POST /sandbox/stripe/past { payments }: payments of the past as they ended, with what went back of them, without events.
 * GET, POST /sandbox/stripe/switches { declineNext?, redirectNext?, wallets?, booksLate? }: what happens to the next card,
 *   whether devices have a wallet, and whether charges are not booked yet.
 */
export function stripeControlRoutes({ state, now }: Stage, { mailer, actOf }: Tools) {
  const chargeOf = (intent: Intent) => {
    const charge = state.payments.charges.get(intent.latestCharge ?? "");
    if (!charge || intent.status !== "succeeded")
      throw refuse(`This PaymentIntent (${intent.id}) does not have a successful charge.`);
    return charge;
  };
  const enter = (url: string) => {
    const act = actOf(url);
    endRefunds(act);
    return act;
  };

  return new Hono()
    .get("/sandbox/stripe/endpoint", (c) => c.json({ endpoint: endpointOf(state) }, 200))
    .post("/sandbox/stripe/endpoint", async (c) => {
      const { url, secret, secrets, events } = await readBody(c, endpoint);
      setEndpoint(state, url === null ? null : { url, secrets: [secret, ...secrets], events });
      return c.json({ endpoint: endpointOf(state) }, 200);
    })
    .get("/sandbox/stripe/delivery", (c) => c.json(postOf(state), 200))
    .post("/sandbox/stripe/delivery", async (c) => {
      const before = postOf(state);
      setPost(state, { ...before, ...(await readBody(c, post)) });
      if (before.hold && !postOf(state).hold) mailer.release();
      return c.json(postOf(state), 200);
    })
    .get("/sandbox/stripe/switches", (c) => c.json(switchesOf(state), 200))
    .post("/sandbox/stripe/switches", async (c) => {
      setSwitches(state, { ...switchesOf(state), ...(await readBody(c, switches)) });
      return c.json(switchesOf(state), 200);
    })
    .get("/sandbox/stripe/events", async (c) => {
      const { type, intent, after, last, signedAt = signingTime(now()) } = parse(eventQuery, c.req.query());
      enter(c.req.url);
      const all = state.payments.events.values();
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const secrets = endpointOf(state)?.secrets ?? [SIGNING_SECRET];
      const chosen = all
        .slice(from)
        .filter((event) => type === undefined || event.type === type)
        .filter(
          ({ object }) =>
            intent === undefined || object["id"] === intent || object["payment_intent"] === intent,
        );
      const events = await Promise.all(
        chosen.slice(last === undefined ? 0 : -last).map(async (event) => {
          const body = bodyOf(state, event);
          const { id, type, createdAt, post, tries } = event;
          return { id, type, createdAt, post, tries, body, signature: await sign(body, secrets, signedAt) };
        }),
      );
      return c.json({ events }, 200);
    })
    .post("/sandbox/stripe/events/:id/deliver", async (c) => {
      const id = c.req.param("id");
      if (!state.payments.events.get(id)) throw missing("event", id);
      return c.json({ status: (await mailer.deliver(id)) ?? null }, 200);
    })
    .get("/sandbox/stripe/requests", (c) => c.json({ requests: state.payments.arrivals.values() }, 200))
    .get("/sandbox/stripe/intents", (c) => {
      enter(c.req.url);
      return c.json(
        {
          intents: state.payments.intents
            .values()
            .toReversed()
            .map((intent) => deskView(state, intent)),
        },
        200,
      );
    })
    .post("/sandbox/stripe/intents/:id/pay", async (c) => {
      const { card, keep, method: kept, returnUrl, hold, fingerprint } = await readBody(c, payment);
      const act = enter(c.req.url);
      const stored = intentOf(state, c.req.param("id"));
      const intent: Intent =
        keep && stored.setupFutureUsage === null ? { ...stored, setupFutureUsage: "on_session" } : stored;
      const method =
        kept === null
          ? addMethod(act, {
              number: card.replaceAll(" ", ""),
              fingerprint: fingerprint ?? `card of ${stored.customer} ${card.slice(-4)}`,
              expMonth: 12,
              expYear: new Date(act.now).getUTCFullYear() + 3,
              billing: { country: "US", postalCode: "11714", name: null, email: null },
              ...(keep && { allowRedisplay: "always" }),
            })
          : findMethod(act, kept);
      checkOwner(method, intent);
      try {
        const paid = confirmIntent(act, intent, { methodId: method.id, returnUrl, sdk: true, hold });
        return c.json(intentView(state, paid), 200);
      } catch (error) {
        // A declined card is not an error here: the intent has the reason.
        if (!(error instanceof StripeRefusal) || error.status !== 402) throw error;
        return c.json(intentView(state, intentOf(state, intent.id)), 200);
      }
    })
    .post("/sandbox/stripe/methods/:id", async (c) => {
      const { card, ...change } = await readBody(c, methodChange);
      const method = findMethod(enter(c.req.url), c.req.param("id"));
      const changed = { ...method, ...change, ...(card !== undefined && { play: playOf(card) }) };
      state.payments.methods.set(method.id, changed);
      return c.json(methodView(changed), 200);
    })
    .post("/sandbox/stripe/intents/:id/authenticate", async (c) => {
      const { outcome } = await readBody(c, answer);
      const intent = intentOf(state, c.req.param("id"));
      return c.json(
        intentView(state, answerChallenge(enter(c.req.url), intent, outcome === "complete")),
        200,
      );
    })
    .post("/sandbox/stripe/intents/:id/settle", async (c) => {
      const { outcome } = await readBody(c, settlement);
      const intent = intentOf(state, c.req.param("id"));
      return c.json(intentView(state, settleIntent(enter(c.req.url), intent, outcome)), 200);
    })
    .post("/sandbox/stripe/intents/:id/cancel", (c) => {
      const intent = intentOf(state, c.req.param("id"));
      return c.json(intentView(state, cancelIntent(enter(c.req.url), intent, null)), 200);
    })
    .post("/sandbox/stripe/intents/:id/refund", async (c) => {
      const { amount, metadata } = await readBody(c, refundOrder);
      const act = enter(c.req.url);
      const charge = chargeOf(intentOf(state, c.req.param("id")));
      return c.json(refundView(state, refundCharge(act, charge, { amount, metadata })), 200);
    })
    .post("/sandbox/stripe/past", async (c) => {
      const { payments } = await readBody(c, past);
      return c.json({ added: addPast(enter(c.req.url), payments) }, 200);
    })
    .post("/sandbox/stripe/movements", async (c) =>
      c.json(bookMovement(enter(c.req.url), await readBody(c, movement)), 200),
    )
    .post("/sandbox/stripe/intents/:id/warn", (c) => {
      const act = enter(c.req.url);
      const charge = chargeOf(intentOf(state, c.req.param("id")));
      return c.json(warningView(state, warnOfFraud(act, charge)), 200);
    })
    .post("/sandbox/stripe/intents/:id/dispute", async (c) => {
      const { outcome, amount } = await readBody(c, disputeOrder);
      const act = enter(c.req.url);
      const charge = chargeOf(intentOf(state, c.req.param("id")));
      if (outcome === "resolution" || outcome === "block")
        return c.json(disputeView(state, preventDispute(act, charge, outcome)), 200);
      const known = state.payments.disputes.get(charge.disputeId ?? "");
      const reason = "fraudulent";
      if (outcome === "inquiry")
        return c.json(disputeView(state, openDispute(act, charge, { reason, amount, isInquiry: true })), 200);
      if (known && (outcome === "review" || outcome === "escalate" || outcome === "close"))
        return c.json(disputeView(state, moveDispute(act, known, outcome)), 200);
      const isOpen =
        known?.status.endsWith("needs_response") ||
        known?.status.endsWith("under_review") ||
        (known?.status === "lost" && outcome === "won");
      const dispute = known && isOpen ? known : openDispute(act, charge, { reason, amount });
      const isDecided = outcome === "won" || outcome === "lost";
      return c.json(disputeView(state, isDecided ? closeDispute(act, dispute, outcome) : dispute), 200);
    });
}

function deskView(state: Stage["state"], intent: Intent) {
  const charge = state.payments.charges.get(intent.latestCharge ?? "");
  const customer = state.payments.customers.get(intent.customer ?? "");
  const dispute = state.payments.disputes.get(charge?.disputeId ?? "");
  return {
    ...intentView(state, intent),
    customer: customer ? { id: customer.id, name: customer.name, email: customer.email } : null,
    latest_charge: charge ? chargeView(state, charge) : null,
    dispute: dispute ? disputeView(state, dispute) : null,
  };
}
