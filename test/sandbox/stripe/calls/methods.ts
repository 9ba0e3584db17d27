import { methodOf, type Act } from "../act.ts";
import { openCustomerSession } from "../customer-sessions.ts";
import { expand } from "../expand.ts";
import { readParams, required } from "../form.ts";
import { PAGE, pageOf } from "../lists.ts";
import { detachMethod, methodsOf } from "../methods.ts";
import { missing } from "../refusal.ts";
import type { Method } from "../shapes.ts";
import { customerSessionView } from "../views/customer-sessions.ts";
import { methodView } from "../views/methods.ts";
import { EXPAND, type Call } from "./call.ts";
import { liveCustomer } from "./customers.ts";

const REDISPLAY = ["always", "limited", "unspecified"] as const;
const SWITCH = ["enabled", "disabled"] as const;

export const METHOD_CALLS = {
  listCustomerMethods(act, params, id) {
    const { allow_redisplay: redisplay, ...page } = readParams(
      { ...PAGE, type: "string", allow_redisplay: REDISPLAY },
      params,
    );
    const rows = methodsOf(act, liveCustomer(act, id).id)
      .filter(() => page.type === undefined || page.type === "card")
      .filter((method) => redisplay === undefined || method.allowRedisplay === redisplay);
    const url = `/v1/customers/${id}/payment_methods`;
    const list = pageOf(rows, page, { url, kind: "PaymentMethod", view: methodView });
    return expand(act.state, list, page.expand ?? []);
  },

  readPaymentMethod(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    return expand(act.state, methodView(findKept(act, id)), paths);
  },

  detachPaymentMethod(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    return expand(act.state, methodView(detachMethod(act, findKept(act, id))), paths);
  },

  createCustomerSession(act, params) {
    const given = readParams(
      {
        customer: "string",
        components: {
          payment_element: {
            enabled: "boolean",
            features: {
              payment_method_redisplay: SWITCH,
              payment_method_remove: SWITCH,
              payment_method_save: SWITCH,
              payment_method_save_usage: ["on_session", "off_session"],
              payment_method_redisplay_limit: "integer",
              payment_method_allow_redisplay_filters: "list",
            },
          },
        },
        expand: "list",
      },
      params,
    );
    const customer = liveCustomer(act, required(given.customer, "customer"), "customer");
    const element = required(
      required(given.components, "components").payment_element,
      "components[payment_element]",
    );
    required(element.enabled, "components[payment_element][enabled]");
    const session = openCustomerSession(act, customer, element.features ?? {});
    return customerSessionView(session);
  },
} satisfies Record<string, Call>;

function findKept({ state }: Act, id: string): Method {
  if (!state.payments.methods.get(id)) throw missing("PaymentMethod", id, "payment_method");
  return methodOf(state, id);
}
