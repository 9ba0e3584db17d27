import { seconds } from "../act.ts";
import type { PaymentEvent } from "../shapes.ts";
import { API_VERSION, type View } from "./view.ts";

export function eventView(event: PaymentEvent, endpoints: number): View {
  const owed = event.post === "none" || event.post === "delivered" ? 0 : endpoints;
  return {
    id: event.id,
    object: "event",
    api_version: API_VERSION,
    created: seconds(event.createdAt),
    data: {
      object: event.object,
      ...(event.previous === null ? {} : { previous_attributes: event.previous }),
    },
    livemode: false,
    pending_webhooks: owed,
    request: { id: event.cause.requestId, idempotency_key: event.cause.idempotencyKey },
    type: event.type,
  };
}
