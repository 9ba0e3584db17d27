/** Stripe's error object. */
export type StripeErrorBody = {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
};

export type StripeStatus = 400 | 401 | 402 | 404 | 409 | 429 | 500 | 502 | 503 | 504;

/** An error response in Stripe's format. It is stored under the idempotency key only if execution `began`. */
export class StripeRefusal extends Error {
  override name = "StripeRefusal";

  constructor(
    readonly status: StripeStatus,
    readonly body: StripeErrorBody,
    readonly began = true,
  ) {
    super(body.message);
  }

  toText(): string {
    const { code } = this.body;
    const doc =
      code === undefined
        ? {}
        : { doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll("_", "-")}` };
    return JSON.stringify({ error: { ...this.body, ...doc } }, null, 2);
  }

  toResponse(headers: Record<string, string> = {}): Response {
    return new Response(this.toText(), {
      status: this.status,
      headers: { "content-type": "application/json", ...headers },
    });
  }
}

type Details = Omit<StripeErrorBody, "type" | "message">;

/** The present state doesn't allow the request. */
export function refuse(message: string, details: Details = {}, status: StripeStatus = 400): StripeRefusal {
  return new StripeRefusal(status, { type: "invalid_request_error", message, ...details });
}

/** The request is invalid; execution has not begun. */
export function malformed(message: string, details: Details = {}, status: StripeStatus = 400): StripeRefusal {
  return new StripeRefusal(status, { type: "invalid_request_error", message, ...details }, false);
}

/** @param param the parameter with the unknown id; omitted if the id is in the path, which makes it a 404 */
export function missing(kind: string, id: string, param?: string): StripeRefusal {
  return malformed(
    `No such ${kind}: '${id}'`,
    { code: "resource_missing", param: param ?? (kind === "payment_intent" ? "intent" : "id") },
    param === undefined ? 404 : 400,
  );
}
