import { endpointOf } from "../events.ts";
import { readParams } from "../form.ts";
import { PAGE, createdKind, isWithin, pageOf, spanOf } from "../lists.ts";
import { malformed, missing } from "../refusal.ts";
import { eventView } from "../views/events.ts";
import { EXPAND, type Call } from "./call.ts";

export const EVENT_CALLS = {
  listEvents(act, params) {
    const page = readParams(
      { ...PAGE, type: "string", types: "list", delivery_success: "boolean", created: createdKind(params) },
      params,
    );
    const { type, types, delivery_success: delivered } = page;
    if (type !== undefined && types !== undefined) {
      throw malformed("You may only specify one of these parameters: type, types.", {
        code: "parameters_exclusive",
      });
    }
    const wanted = types ?? (type === undefined ? null : [type]);
    const rows = act.state.payments.events
      .values()
      .filter((event) => wanted === null || wanted.some((name) => isOfType(event.type, name)))
      .filter((event) => delivered === undefined || (event.post === "delivered") === delivered)
      .filter((event) => isWithin(event.createdAt, spanOf(page.created)));
    const endpoints = endpointOf(act.state) === null ? 0 : 1;
    const view = (row: (typeof rows)[number]) => eventView(row, endpoints);
    return pageOf(rows.toReversed(), page, { url: "/v1/events", kind: "event", view });
  },

  readEvent(act, params, id) {
    readParams(EXPAND, params);
    const event = act.state.payments.events.get(id);
    if (!event) throw missing("event", id);
    return eventView(event, endpointOf(act.state) === null ? 0 : 1);
  },

  listWebhookEndpoints(act, params) {
    readParams(PAGE, params);
    const endpoint = endpointOf(act.state);
    const view = (given: NonNullable<typeof endpoint>) => ({
      id: "we_sandbox",
      object: "webhook_endpoint",
      livemode: false,
      status: "enabled",
      url: given.url,
      enabled_events: given.events ?? ["*"],
    });
    return {
      object: "list",
      url: "/v1/webhook_endpoints",
      has_more: false,
      data: endpoint === null ? [] : [view(endpoint)],
    };
  },
} satisfies Record<string, Call>;

/** `charge.*` matches every type with that prefix. */
const isOfType = (type: string, wanted: string): boolean =>
  wanted.endsWith(".*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
