import type Stripe from "stripe";
import { seconds } from "../act.ts";
import type { CustomerSession } from "../shapes.ts";

const OFF = { enabled: false } as const;
const OFF_WITH_FEATURES = { enabled: false, features: null } as const;
const word = (on: boolean) => (on ? "enabled" : "disabled");

/** Held to the library's type, like a response of Stripe's. */
export function customerSessionView(session: CustomerSession) {
  const { redisplay, remove, save, saveUsage, filters, limit } = session.features;
  return {
    object: "customer_session",
    client_secret: session.clientSecret,
    components: {
      active_entitlements: OFF,
      buy_button: OFF,
      customer_portal: OFF,
      customer_sheet: OFF_WITH_FEATURES,
      mobile_payment_element: OFF_WITH_FEATURES,
      payment_element: {
        enabled: true,
        features: {
          payment_method_allow_redisplay_filters: filters,
          payment_method_redisplay: word(redisplay),
          payment_method_redisplay_limit: limit,
          payment_method_remove: word(remove),
          payment_method_save: word(save),
          payment_method_save_usage: saveUsage,
        },
      },
      pricing_table: OFF,
    },
    created: seconds(session.createdAt),
    customer: session.customer,
    customer_account: null,
    expires_at: seconds(session.expiresAt),
    livemode: false,
  } satisfies Stripe.CustomerSession;
}
