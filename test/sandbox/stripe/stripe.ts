import { Hono } from "hono";
import type { Stage } from "../state.ts";
import { stripeControlRoutes } from "./control.ts";
import { openDoor } from "./door.ts";
import { openMailer } from "./mailer.ts";
import { stripePageRoutes } from "./page-routes.ts";

/** The simulated Stripe: API, webhooks and stripe.js. */
export function openStripe(stage: Stage) {
  const mailer = openMailer(stage);
  const door = openDoor(stage, mailer.post);
  const byHand = { requestId: null, idempotencyKey: null };
  const actOf = (requestUrl: string) => door.actOf(requestUrl, byHand);
  const routes = new Hono()
    .route("/", stripeControlRoutes(stage, { mailer, actOf }))
    .route("/", stripePageRoutes(stage, actOf));
  return { routes, answers: door.answers, fetch: door.fetch };
}
