import type { PlatformFailure } from "../engine/types.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { Send } from "../runtime/send.ts";
import { httpExchange } from "./http-exchange.ts";
import { toPlatformFailure } from "./failures.ts";
import { parseJson, problemJson, type PlatformProblem } from "./parse.ts";

/** A success or a 304 as it arrived; `json` is undefined where the body is none. */
export type ReceivedResponse = { status: number; headers: Headers; json: unknown; now: EpochMs };

/** One operation of the contract: what goes out, and how its own answers are read. */
export type PlatformRequest<Answer> = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  query?: Record<string, string>;
  accessToken?: string;
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs: DurationMs;
  /** Reads a 2xx or 304; null where it is not what the contract says. */
  parse: (arrived: ReceivedResponse) => Answer | null;
  /** Reads a 4xx that this operation knows; null where it is any call's failure. */
  parseRefusal?: (problem: PlatformProblem, status: number) => Answer | null;
};

/** Makes a call. Never throws: what went wrong is a value. */
export type PlatformRequester = <Answer>(call: PlatformRequest<Answer>) => Promise<Answer | PlatformFailure>;

/** A caller of the platform at `baseUrl`, saying who it is in `User-Agent`. */
export function createRequester({
  baseUrl,
  userAgent,
  send,
  now,
}: {
  baseUrl: string;
  userAgent: string;
  send: Send;
  now: () => EpochMs;
}): PlatformRequester {
  const root = baseUrl.replace(/\/+$/, "");

  return async ({ method, path, query, accessToken, headers, body, timeoutMs, parse, parseRefusal }) => {
    const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : "";
    const received = await httpExchange(
      {
        url: `${root}${path}${search}`,
        method,
        headers: {
          accept: "application/json, application/problem+json",
          "user-agent": userAgent,
          ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      { send, limitMs: timeoutMs },
    );
    if (received.kind !== "arrived") return received;
    const { status } = received;
    const json = parseJson(received.text);
    if ((status >= 200 && status < 300) || status === 304) {
      return parse({ status, headers: received.headers, json, now: now() }) ?? { kind: "unreadable" };
    }
    const problem = problemJson.safeParse(json).data ?? null;
    if (problem && status >= 400 && status < 500 && status !== 429 && problem.code !== "rate_limited") {
      const known = parseRefusal?.(problem, status);
      if (known) return known;
    }
    return toPlatformFailure(received, { problem, now: now() });
  };
}
