import { seconds } from "../act.ts";
import type { Customer } from "../shapes.ts";
import type { View } from "./view.ts";

export function customerView(customer: Customer): View {
  if (customer.deleted) return { id: customer.id, object: "customer", deleted: true };
  return {
    id: customer.id,
    object: "customer",
    address: null,
    balance: 0,
    created: seconds(customer.createdAt),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: customer.description,
    discount: null,
    email: customer.email,
    invoice_prefix: customer.id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: 1,
    phone: customer.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}
