import type { PlatformFailure } from "../engine/types.ts";
import type { DurationMs, EpochMs } from "../engine/units.ts";
import type { Send } from "../send.ts";
import { exchange } from "./exchange.ts";
import { failureOf } from "./failures.ts";
import { parseJson, problemJson, type Problem } from "./parse.ts";

/** A success or a 304 as it arrived; `json` is undefined where the body is none. */
export type Arrived = { status: number; headers: Headers; json: unknown; now: EpochMs };

/** One operation of the contract: what goes out, and how its own answers are read. */
export type Call<Answer> = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  query?: Record<string, string>;
  accessToken?: string;
  headers?: Record<string, string>;
  body?: unknown;
  limitMs: DurationMs;
  /** Reads a 2xx or 304; null where it is not what the contract says. */
  read: (arrived: Arrived) => Answer | null;
  /** Reads a 4xx that this operation knows; null where it is any call's failure. */
  refusal?: (problem: Problem, status: number) => Answer | null;
};

/** Makes a call. Never throws: what went wrong is a value. */
export type Caller = <Answer>(call: Call<Answer>) => Promise<Answer | PlatformFailure>;

/** A caller of the platform at `baseUrl`, saying who it is in `User-Agent`. */
export function createCaller({
  baseUrl,
  userAgent,
  send,
  now,
}: {
  baseUrl: string;
  userAgent: string;
  send: Send;
  now: () => EpochMs;
}): Caller {
  const root = baseUrl.replace(/\/+$/, "");

  return async ({ method, path, query, accessToken, headers, body, limitMs, read, refusal }) => {
    const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : "";
    const arrived = await exchange(
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
      { send, limitMs },
    );
    if (arrived.kind !== "arrived") return arrived;
    const { status } = arrived;
    const json = parseJson(arrived.text);
    if ((status >= 200 && status < 300) || status === 304) {
      return read({ status, headers: arrived.headers, json, now: now() }) ?? { kind: "unreadable" };
    }
    const problem = problemJson.safeParse(json).data ?? null;
    if (problem && status >= 400 && status < 500 && status !== 429 && problem.code !== "rate_limited") {
      const known = refusal?.(problem, status);
      if (known) return known;
    }
    return failureOf(arrived, { problem, now: now() });
  };
}
