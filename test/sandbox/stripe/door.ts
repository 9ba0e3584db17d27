import { answerWithFault, strike } from "../faults.ts";
import type { EpochMs, Fault, Stage, State } from "../state.ts";
import type { Act } from "./act.ts";
import { BROWSER_CALLS } from "./browser-calls.ts";
import { endpointOf } from "./events.ts";
import { readForm, type Params } from "./form.ts";
import { isStripePath, stripeCallOf, type StripeOperation } from "./operations.ts";
import { StripeRefusal, malformed, type StripeStatus } from "./refusal.ts";
import { endRefunds } from "./refunds.ts";
import { SERVER_CALLS } from "./server-calls.ts";
import type { Arrival, Cause, KeptAnswer } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { API_VERSION, type View } from "./views/view.ts";

export const SECRET_KEY = "sk_test_sandbox";
export const PUBLISHABLE_KEY = "pk_test_sandbox";
const KEPT_MS = 24 * 3_600_000;

type Answer = { status: number; body: string; began: boolean };
type Post = (eventId: string) => void;

/** Stripe's API: records each request, injects faults, and executes a request once per idempotency key. */
export function openDoor(stage: Stage, post: Post) {
  const { state, now } = stage;
  const calls: Record<StripeOperation, (act: Act, params: Params, id: string) => View> = {
    ...SERVER_CALLS,
    ...BROWSER_CALLS,
  };
  /** Idempotency keys of requests in progress. */
  const busy = new Set<string>();

  const actOf = (requestUrl: string, cause: Cause): Act => ({
    state,
    now: now(),
    cause,
    origin: originOf(state, requestUrl),
    post,
  });

  async function fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const form = request.method === "POST" ? await request.text() : url.search.slice(1);
    const params = readForm(form);
    const arrival = note(state, { at: now(), request, url, params });
    const call = callOf(request, url.pathname, params);
    const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
    const act = actOf(request.url, { requestId: arrival.id, idempotencyKey: key });
    const fault = call ? strike(state, call.operation) : null;

    const perform = async (): Promise<Response> => {
      const headers = headersOf(request, arrival.id, key);
      try {
        authenticate(request, params, arrival.from);
        if (!call) {
          throw malformed(
            `Unrecognized request URL (${request.method}: ${url.pathname}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
            {},
            404,
          );
        }
        endRefunds(act);
        const print = `${request.method} ${url.pathname} ${JSON.stringify(sorted(params))}`;
        const answer = keep(state, { key, print, at: act.now, requestId: arrival.id }, () =>
          answerOf(() => {
            if (fault?.fault === "500_stored") throw brokenInside();
            const done = calls[call.operation](act, params, call.id);
            if (fault?.fault === "500_after_effect") throw brokenInside();
            return done;
          }),
        );
        return new Response(answer.body, {
          status: answer.status,
          headers: { ...headers, "content-type": "application/json", ...answer.headers },
        });
      } catch (error) {
        if (error instanceof StripeRefusal) return error.toResponse(headers);
        throw error;
      }
    };

    const response = await alone(busy, { key, fault }, () =>
      fault && call && fault.fault !== "500_stored" && fault.fault !== "500_after_effect"
        ? answerWithFault({ state, fault, operation: call.operation }, perform, refuseByFault)
        : perform(),
    );
    // The card's frame has its own origin, like Stripe's.
    if (arrival.from === "browser") response.headers.set("access-control-allow-origin", "*");
    if (state.payments.arrivals.get(arrival.id))
      state.payments.arrivals.set(arrival.id, { ...arrival, status: response.status });
    return response;
  }

  return { answers: isStripePath, fetch, actOf };
}

/** Runs a call unless another with the same key is in progress. A "slow" fault prolongs that; a dropped response doesn't. */
async function alone(
  busy: Set<string>,
  { key, fault }: { key: string | null; fault: Fault | null },
  run: () => Promise<Response>,
): Promise<Response> {
  if (key === null) return run();
  if (busy.has(key)) {
    return new StripeRefusal(
      409,
      {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      },
      false,
    ).toResponse();
  }
  if (fault?.fault === "timeout" || fault?.fault === "lost_answer") return run();
  busy.add(key);
  try {
    return await run();
  } finally {
    busy.delete(key);
  }
}

function answerOf(perform: () => View): Answer {
  try {
    return { status: 200, body: JSON.stringify(perform(), null, 2), began: true };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { status: error.status, body: error.toText(), began: error.began };
  }
}

/**
 * Replays the stored response if the key was used before; else executes the call and stores the response if execution
 * began.
 */
function keep(
  state: State,
  { key, print, at, requestId }: { key: string | null; print: string; at: EpochMs; requestId: string },
  perform: () => Answer,
): { status: number; body: string; headers: Record<string, string> } {
  if (key === null) return { ...perform(), headers: {} };
  if (key.length > 255)
    throw malformed("Idempotency keys can have up to 255 characters.", { param: "idempotency_key" });
  const before = state.payments.kept.get(key);
  if (before && before.at + KEPT_MS > at) {
    if (before.print !== print) {
      throw new StripeRefusal(
        400,
        {
          type: "idempotency_error",
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        },
        false,
      );
    }
    const { status, body } = before;
    return {
      status,
      body,
      headers: { "idempotent-replayed": "true", "original-request": before.requestId },
    };
  }
  const answer = perform();
  const { status, body } = answer;
  if (answer.began) state.payments.kept.set(key, { at, print, status, body, requestId } satisfies KeptAnswer);
  return { status, body, headers: { "original-request": requestId } };
}

/** @throws {StripeRefusal} 401 with Stripe's message for each case */
function authenticate(request: Request, params: Params, from: Arrival["from"]): void {
  const key = keyOf(request, params);
  if (key === "") {
    throw malformed(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details.",
      {},
      401,
    );
  }
  if (from === "server" && key === PUBLISHABLE_KEY && !isOfBrowser(key, params)) {
    throw malformed(
      "This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.",
      { code: "secret_key_required" },
      401,
    );
  }
  if (key !== (from === "server" && !isOfBrowser(key, params) ? SECRET_KEY : PUBLISHABLE_KEY)) {
    const shown = `${key.slice(0, 8)}${"*".repeat(Math.max(0, key.length - 12))}${key.length > 12 ? key.slice(-4) : ""}`;
    throw malformed(`Invalid API Key provided: ${shown}`, {}, 401);
  }
  const version = request.headers.get("stripe-version");
  if (version !== null && !/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(version))
    throw malformed(`Invalid Stripe API version: ${version}`);
}

/** A publishable key reads an intent with its client secret, wherever the call comes from. */
function callOf(request: Request, path: string, params: Params): ReturnType<typeof stripeCallOf> {
  const call = stripeCallOf(request.method, path);
  return call?.operation === "readPaymentIntent" && isOfBrowser(keyOf(request, params), params)
    ? { ...call, operation: "readInBrowser" }
    : call;
}

function isOfBrowser(key: string, { client_secret: secret }: Params): boolean {
  return key.startsWith("pk_") && typeof secret === "string";
}

function keyOf(request: Request, params: Params): string {
  const [scheme = "", credentials = ""] = (request.headers.get("authorization") ?? "").split(" ");
  if (/^bearer$/i.test(scheme)) return credentials;
  if (/^basic$/i.test(scheme)) return atob(credentials).split(":")[0] ?? "";
  return typeof params["key"] === "string" ? params["key"] : "";
}

const SHOWN_HEADERS = ["content-type", "idempotency-key", "stripe-version", "stripe-account", "user-agent"];

/** Records a request for tests and the desk, without API key and card number. */
function note(
  state: State,
  { at, request, url, params }: { at: EpochMs; request: Request; url: URL; params: Params },
): Arrival {
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = request.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const arrival: Arrival = {
    id: paymentId(state, "req"),
    at,
    from: url.pathname.startsWith("/sandbox/") ? "browser" : "server",
    method: request.method,
    path: url.pathname,
    params: withoutCard(Object.fromEntries(Object.entries(params).filter(([name]) => name !== "key"))),
    headers: Object.fromEntries(headers),
    status: null,
  };
  state.payments.arrivals.set(arrival.id, arrival);
  return arrival;
}

function withoutCard(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (name === "card" && typeof value === "object")
        return [name, { last4: String(value["number"] ?? "").slice(-4) }];
      return [name, typeof value === "object" ? withoutCard(value) : value];
    }),
  );
}

function headersOf(request: Request, requestId: string, key: string | null): Record<string, string> {
  return {
    "request-id": requestId,
    "stripe-version": request.headers.get("stripe-version") ?? API_VERSION,
    ...(key === null ? {} : { "idempotency-key": key }),
  };
}

function refuseByFault(status: number, headers: Record<string, string>): Response {
  if (status === 429 || status === 400) {
    return new StripeRefusal(status, {
      type: "invalid_request_error",
      code: "rate_limit",
      message: "Request rate limit exceeded.",
    }).toResponse(headers);
  }
  const server = status === 502 || status === 503 || status === 504 ? status : 500;
  return brokenInside(server).toResponse(headers);
}

function brokenInside(status: StripeStatus = 500): StripeRefusal {
  return new StripeRefusal(status, {
    type: "api_error",
    message: "Sorry, something went wrong on our side.",
  });
}

/** The origin at which browsers reach this sandbox: that of the webhook endpoint, if there is one, else of the selfie page. */
function originOf(state: State, requestUrl: string): string {
  const endpoint = endpointOf(state);
  return new URL(endpoint?.url ?? state.settings.get().selfie.origin ?? requestUrl).origin;
}

function sorted(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [name, typeof value === "object" ? sorted(value) : value]),
  );
}
