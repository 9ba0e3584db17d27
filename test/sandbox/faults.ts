import { Hono } from "hono";
import { z } from "zod";
import { createChance } from "./chance.ts";
import { countUp, nextId } from "./ids.ts";
import { Refusal, readBody } from "./problem.ts";
import { FAULTS, OPERATIONS } from "./operations.ts";
import type { Operation } from "./operations.ts";
import type { Fault, Stage, State } from "./state.ts";

const HANGS_MS = 30_000;
const SLOW_MS = 2_000;
const STATUSES = { "401": 401, "500": 500, "502": 502, "503": 503, "504": 504 } as const;

const order = z.strictObject({
  operation: z.enum(["*", ...OPERATIONS.map(({ operation }) => operation)]),
  fault: z.enum(FAULTS),
  /** If omitted, until cleared. */
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).default(1),
  /** Seconds for Retry-After; if omitted, the response has no such header. */
  retryAfter: z.int().min(0).optional(),
  /**
   * How long "timeout" and "lost_answer" hold the connection before they respond 504, and "slow" before it responds
   * normally.
   */
  delayMs: z.int().min(0).max(120_000).optional(),
  /** The answer of "gateway". */
  body: z.string().default("<!doctype html><h1>Hold on</h1>"),
  status: z.int().min(200).max(599).default(401),
  headers: z.record(z.string(), z.string()).default({}),
  /** The place of "changed_field" in a response, positions in lists left out, and its value; left out without one. */
  field: z.array(z.string()).default([]),
  value: z.unknown().optional(),
});

/** Routes to inject, list and clear faults, and to list and release held responses. */
export function faultRoutes({ state }: Stage) {
  return new Hono()
    .get("/sandbox/faults", (c) => c.json({ faults: state.faults.values() }, 200))
    .post("/sandbox/faults", async (c) => {
      const given = await readBody(c, order);
      const fault: Fault = {
        faultId: nextId(state, "flt"),
        operation: given.operation,
        fault: given.fault,
        timesLeft: given.times ?? null,
        probability: given.probability,
        retryAfter: given.retryAfter ?? null,
        delayMs: given.delayMs ?? null,
        body: given.body,
        status: given.status,
        headers: given.headers,
        field: given.field,
        value: given.value,
      };
      state.faults.set(fault.faultId, fault);
      return c.json(fault, 201);
    })
    .delete("/sandbox/faults", (c) => {
      state.faults.clear();
      state.letGo();
      return c.body(null, 204);
    })
    .get("/sandbox/held", (c) => c.json({ held: state.held.map(({ operation }) => operation) }, 200))
    .delete("/sandbox/held", (c) => {
      state.letGo();
      return c.body(null, 204);
    });
}

/** The oldest fault that applies to this call, if any. */
export function strike(state: State, operation: Operation): Fault | null {
  const found = state.faults.values().find((fault) => {
    if (fault.operation !== "*" && fault.operation !== operation) return false;
    return fault.probability === 1 || rollOf(state) < fault.probability;
  });
  if (!found) return null;
  if (found.timesLeft === 1) state.faults.delete(found.faultId);
  else if (found.timesLeft !== null)
    state.faults.set(found.faultId, { ...found, timesLeft: found.timesLeft - 1 });
  return found;
}

/** Responds as the fault demands. `perform` executes the call; faults that come before the effect never call it. */
export async function answerWithFault(
  { state, fault, operation }: { state: State; fault: Fault; operation: Operation },
  perform: () => Promise<Response>,
  refuse: Refuse = refuseAsPlatform,
): Promise<Response> {
  const headers: Record<string, string> =
    fault.retryAfter === null ? {} : { "retry-after": String(fault.retryAfter) };
  switch (fault.fault) {
    case "429":
      return refuse(429, headers);
    case "400_rate_limited":
      return refuse(400, headers);
    case "500_stored":
    case "500_after_effect":
      return refuse(500, headers);
    case "401":
    case "500":
    case "502":
    case "503":
    case "504":
      return refuse(STATUSES[fault.fault], headers);
    case "gateway_after_effect":
      await perform();
      return answerAsGateway(fault, headers);
    case "gateway":
      return answerAsGateway(fault, headers);
    case "unknown_words": {
      const response = await perform();
      const text = (await response.text()).replaceAll(/"(status|serviceType)":"\w+"/g, '"$1":"brand_new"');
      return new Response(text || null, { status: response.status, headers: response.headers });
    }
    case "changed_field": {
      const response = await perform();
      if (response.status >= 300 || response.status === 204) return response;
      const headersOfChanged = new Headers(response.headers);
      headersOfChanged.delete("etag");
      const changed = withField(await response.json(), fault.field, fault.value);
      return new Response(JSON.stringify(changed), { status: response.status, headers: headersOfChanged });
    }
    case "long_list": {
      const response = await perform();
      const { offers } = z.object({ offers: z.array(z.looseObject({})) }).parse(await response.json());
      const more = Array.from({ length: 10_000 }, (_, index) => ({
        ...offers[0],
        offerId: `more_${index}`,
        pay: { amount: 0, currency: "USD" },
      }));
      const lengthened = new Headers(response.headers);
      lengthened.delete("etag");
      return new Response(JSON.stringify({ offers: [...more, ...offers] }), { headers: lengthened });
    }
    case "timeout":
      await scheduler.wait(fault.delayMs ?? HANGS_MS);
      return refuse(504, {});
    case "lost_answer":
      await perform();
      await scheduler.wait(fault.delayMs ?? 0);
      return refuse(504, {});
    case "slow": {
      const response = await perform();
      await scheduler.wait(fault.delayMs ?? SLOW_MS);
      return response;
    }
    case "held": {
      const response = await perform();
      await new Promise<void>((letGo) => state.held.push({ operation, letGo }));
      return response;
    }
    case "broken_json": {
      const response = await perform();
      const text = (await response.text()) || "{}";
      const status = response.status === 204 || response.status === 304 ? 200 : response.status;
      return new Response(text.slice(0, Math.ceil(text.length / 2)), { status, headers: response.headers });
    }
    case "empty": {
      const response = await perform();
      if (response.status >= 400) return response;
      const emptied = new Headers(response.headers);
      emptied.delete("etag");
      emptied.set("content-type", "application/json");
      return new Response(JSON.stringify(EMPTY[operation] ?? {}), { headers: emptied });
    }
  }
}

/** The same with another value of a field, in each item of a list; undefined leaves it out. */
function withField(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return body;
  if (Array.isArray(body)) return body.map((item) => withField(item, [name, ...rest], value));
  if (typeof body !== "object" || body === null) return body;
  const whole: Record<string, unknown> = { ...body };
  if (rest.length === 0) whole[name] = value;
  else if (whole[name] !== undefined) whole[name] = withField(whole[name], rest, value);
  return whole;
}

function answerAsGateway({ body, status, headers: own }: Fault, headers: Record<string, string>): Response {
  return new Response(body, { status, headers: { "content-type": "text/html", ...headers, ...own } });
}

type FaultStatus = 400 | 429 | (typeof STATUSES)[keyof typeof STATUSES];
/** How the simulated service formats an error response. */
type Refuse = (status: FaultStatus, headers: Record<string, string>) => Response;

const refuseAsPlatform: Refuse = (status, headers) =>
  new Refusal(
    status,
    status === 429 || status === 400 ? "rate_limited" : status === 401 ? "invalid_token" : "internal",
    {},
    headers,
  ).toResponse();

/** The response of a platform that pretends to have nothing. */
const EMPTY: Partial<Record<Operation, unknown>> = {
  listOffers: { offers: [] },
  listWarehouses: { warehouses: [] },
  listBlocks: { blocks: [] },
  readEarnings: { currency: "USD", total: 0, items: [] },
  listPaymentIntents: { object: "list", url: "/v1/payment_intents", has_more: false, data: [] },
  listRefunds: { object: "list", url: "/v1/refunds", has_more: false, data: [] },
  listEvents: { object: "list", url: "/v1/events", has_more: false, data: [] },
};

function rollOf(state: State): number {
  return createChance(`${state.settings.get().seed}:fault:${countUp(state.cursors, "rolls")}`)();
}
