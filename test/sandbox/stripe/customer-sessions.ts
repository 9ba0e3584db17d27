import { digest } from "../chance.ts";
import type { Act } from "./act.ts";
import { malformed } from "./refusal.ts";
import type { Customer, CustomerSession, Method } from "./shapes.ts";
import { paymentId } from "./tables.ts";

const LIVES_MS = 30 * 60_000;
const REDISPLAY: readonly Method["allowRedisplay"][] = ["always", "limited", "unspecified"];

type Features = {
  payment_method_redisplay?: "enabled" | "disabled" | undefined;
  payment_method_remove?: "enabled" | "disabled" | undefined;
  payment_method_save?: "enabled" | "disabled" | undefined;
  payment_method_save_usage?: "on_session" | "off_session" | undefined;
  payment_method_redisplay_limit?: number | undefined;
  payment_method_allow_redisplay_filters?: string[] | undefined;
};

/** Lets a browser see a customer's kept methods, for half an hour. */
export function openCustomerSession(act: Act, customer: Customer, given: Features): CustomerSession {
  const { payment_method_redisplay_limit: limit = 3, payment_method_save_usage: saveUsage } = given;
  if (limit < 1 || limit > 10) {
    throw malformed("This value must be between 1 and 10.", {
      param: "components[payment_element][features][payment_method_redisplay_limit]",
    });
  }
  const wanted = given.payment_method_allow_redisplay_filters ?? ["always"];
  const id = paymentId(act.state, "cuss");
  const secret = [1, 2].map((part) => digest(`${id}:${part}`)).join("");
  const session: CustomerSession = {
    id,
    clientSecret: `${id}_secret_${secret.slice(0, 25)}`,
    createdAt: act.now,
    expiresAt: act.now + LIVES_MS,
    customer: customer.id,
    features: {
      redisplay: given.payment_method_redisplay === "enabled",
      remove: given.payment_method_remove === "enabled",
      save: given.payment_method_save === "enabled",
      saveUsage: saveUsage ?? null,
      filters: REDISPLAY.filter((value) => wanted.includes(value)),
      limit,
    },
  };
  act.state.payments.customerSessions.set(id, session);
  return session;
}

/** @throws {StripeRefusal} if the secret is no session's, or its half hour is over */
export function sessionOf({ state, now }: Act, clientSecret: string): CustomerSession {
  const session = state.payments.customerSessions.get(clientSecret.split("_secret_")[0] ?? "");
  if (!session || session.clientSecret !== clientSecret || session.expiresAt <= now) {
    throw malformed("The customer session client secret is invalid or has expired.", {
      code: "resource_missing",
      param: "customer_session_client_secret",
    });
  }
  return session;
}
