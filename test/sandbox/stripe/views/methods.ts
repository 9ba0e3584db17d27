import { seconds } from "../act.ts";
import type { Method } from "../shapes.ts";
import type { View } from "./view.ts";

export function methodView(method: Method): View {
  return {
    id: method.id,
    object: "payment_method",
    allow_redisplay: method.allowRedisplay,
    billing_details: billingView(method),
    card: {
      brand: method.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
      country: method.country,
      display_brand: method.brand,
      exp_month: method.expMonth,
      exp_year: method.expYear,
      fingerprint: method.fingerprint,
      funding: method.funding,
      generated_from: null,
      last4: method.last4,
      networks: { available: [method.brand], preferred: null },
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(method.createdAt),
    customer: method.customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  };
}

export function billingView({ billing }: Method): View {
  return {
    address: {
      city: null,
      country: billing.country,
      line1: null,
      line2: null,
      postal_code: billing.postalCode,
      state: null,
    },
    email: billing.email,
    name: billing.name,
    phone: null,
    tax_id: null,
  };
}
