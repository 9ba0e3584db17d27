import { Hono } from "hono";
import { accessRoutes } from "./access.ts";
import { noteAccept, notePoll } from "./arrivals.ts";
import { chatwootApiRoutes } from "./chatwoot-api.ts";
import { chatwootRoutes } from "./chatwoot.ts";
import { controlRoutes } from "./control.ts";
import { drandRoutes } from "./drand.ts";
import { deskRoutes } from "./desk/routes.ts";
import { answerWithFault, faultRoutes, strike } from "./faults.ts";
import { identityRoutes } from "./identity.ts";
import { operationOf } from "./operations.ts";
import { platformRoutes } from "./platform/routes.ts";
import { selfieRoutes } from "./platform/selfie.ts";
import { Refusal } from "./problem.ts";
import { pushRoutes } from "./push.ts";
import { recordingRoutes } from "./recording.ts";
import { signInRoutes } from "./sign-in.ts";
import { smsAccountRoutes } from "./sms-account.ts";
import { smsRoutes } from "./sms.ts";
import type { Stage } from "./state.ts";
import { StripeRefusal } from "./stripe/refusal.ts";
import { turnstileRoutes } from "./turnstile.ts";
import { openStripe } from "./stripe/stripe.ts";

/** All outside services, routed by path, and the desk that controls them. */
export function createApp(stage: Stage): { fetch(request: Request): Promise<Response> } {
  const stripe = openStripe(stage);
  const app = new Hono()
    // First, because pushes are recognized by their headers, at any address.
    .route("/", pushRoutes(stage))
    .route("/", platformRoutes(stage))
    .route("/", selfieRoutes(stage))
    .route("/", smsRoutes(stage))
    .route("/", smsAccountRoutes(stage))
    .route("/", identityRoutes(stage))
    .route("/", accessRoutes(stage))
    .route("/", turnstileRoutes(stage))
    .route("/", chatwootRoutes())
    .route("/", chatwootApiRoutes(stage))
    .route("/", recordingRoutes())
    .route("/", drandRoutes(stage))
    .route("/", signInRoutes())
    .route("/", faultRoutes(stage))
    .route("/", controlRoutes(stage))
    .route("/", stripe.routes)
    .route("/", deskRoutes())
    .notFound(() =>
      new Refusal(404, "invalid_request", { detail: "There is nothing at this address." }).toResponse(),
    )
    .onError((error) => {
      if (error instanceof Refusal || error instanceof StripeRefusal) return error.toResponse();
      console.error(error);
      return new Refusal(500, "internal").toResponse();
    });

  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (stripe.answers(pathname)) return stripe.fetch(request);
      const operation = operationOf(request.method, pathname);
      if (operation === null) return app.fetch(request);
      const at = stage.now();
      if (operation === "listOffers") notePoll(stage, request);
      const fault = strike(stage.state, operation);
      let reached = false;
      const perform = async () => {
        reached = true;
        const response = await app.fetch(request);
        if (operation === "acceptOffer")
          await noteAccept(stage, { request, at, response, fault: fault?.fault ?? null });
        return response;
      };
      if (!fault) return perform();
      const response = await answerWithFault({ state: stage.state, fault, operation }, perform);
      if (operation === "acceptOffer" && !reached) {
        await noteAccept(stage, { request, at, response, fault: fault.fault });
      }
      return response;
    },
  };
}
