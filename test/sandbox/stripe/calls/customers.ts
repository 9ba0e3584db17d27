import type { Act } from "../act.ts";
import { expand } from "../expand.ts";
import { mergeMetadata, readParams } from "../form.ts";
import { detachMethod, methodsOf } from "../methods.ts";
import { missing } from "../refusal.ts";
import type { Customer } from "../shapes.ts";
import { paymentId } from "../tables.ts";
import { customerView } from "../views/customers.ts";
import { EXPAND, type Call } from "./call.ts";

const CUSTOMER = {
  email: "string",
  name: "string",
  phone: "string",
  description: "string",
  metadata: "metadata",
  expand: "list",
} as const;

export const CUSTOMER_CALLS = {
  createCustomer(act, params) {
    const { metadata = {}, expand: paths = [], ...given } = readParams(CUSTOMER, params);
    const customer: Customer = {
      id: paymentId(act.state, "cus"),
      createdAt: act.now,
      email: null,
      name: null,
      phone: null,
      description: null,
      ...texts(given),
      metadata: mergeMetadata({}, metadata),
      deleted: false,
    };
    act.state.payments.customers.set(customer.id, customer);
    return expand(act.state, customerView(customer), paths);
  },

  readCustomer(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const customer = act.state.payments.customers.get(id);
    if (!customer) throw missing("customer", id);
    return expand(act.state, customerView(customer), paths);
  },

  updateCustomer(act, params, id) {
    const { metadata = {}, expand: paths = [], ...given } = readParams(CUSTOMER, params);
    const customer = liveCustomer(act, id);
    const updated: Customer = {
      ...customer,
      ...texts(given),
      metadata: params["metadata"] === "" ? {} : mergeMetadata(customer.metadata, metadata),
    };
    act.state.payments.customers.set(id, updated);
    return expand(act.state, customerView(updated), paths);
  },

  deleteCustomer(act, params, id) {
    readParams({}, params);
    const customer = liveCustomer(act, id);
    for (const method of methodsOf(act, id)) detachMethod(act, method);
    act.state.payments.customers.set(id, { ...customer, deleted: true });
    return { id, object: "customer", deleted: true };
  },
} satisfies Record<string, Call>;

/** A customer that is not deleted. */
export function liveCustomer({ state }: Act, id: string, param?: string): Customer {
  const customer = state.payments.customers.get(id);
  if (!customer || customer.deleted) throw missing("customer", id, param);
  return customer;
}

/** Text fields as given; an empty string clears the field. */
function texts<Given extends { [name: string]: string | undefined }>(given: Given) {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, text === "" ? null : (text ?? null)]),
  ) as {
    [Name in keyof Given]: string | null;
  };
}
