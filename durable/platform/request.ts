import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { PlatformFailure } from "../engine/state/outcomes.ts";
import { type NoteFailure, causeOfStatus } from "../runtime/call-failure.ts";
import type { Send } from "../runtime/send.ts";
import { httpExchange } from "./http-exchange.ts";
import { parseRetryAfter, parseRefusalEnd, parseHttpDate } from "./headers.ts";
import type { NoteDrift } from "./drift.ts";
import { asksForDriver, readProblem, type PlatformProblem } from "./parse/problem.ts";

/** A successful response or a 304. `json` is undefined if the body is empty or malformed. */
export type ReceivedResponse = {
  status: number;
  headers: Headers;
  json: unknown;
  /** In characters. */
  bodyLength: number;
  now: EpochMs;
  /** How far our clock is ahead of the platform's; 0 if they agree, or it doesn't say. */
  clockAheadMs: DurationMs;
  /** Names a field that is not as the contract says. */
  note: NoteDrift;
};

/** Whether a response is no JSON but has a body: a page of whatever stands before the platform. */
export function isForeignText({ json, bodyLength }: Pick<ReceivedResponse, "json" | "bodyLength">): boolean {
  return json === undefined && bodyLength > 0;
}

/** One operation of the contract: the request, and how to parse its responses. */
export type PlatformRequest<Answer> = {
  /** Under which name what is wrong with its answers is told. */
  call: string;
  method: "GET" | "POST" | "DELETE";
  path: string;
  query?: Record<string, string>;
  accessToken?: string;
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs: DurationMs;
  /** The outcome if the body is longer than we read; `unreadable` by default. */
  tooLong?: Answer;
  /** Parses a 2xx or 304; null if it violates the contract. */
  parse: (arrived: ReceivedResponse) => Answer | null;
  /** Parses a 4xx that is specific to this operation; null if it is a failure that any call can have. */
  parseRefusal?: (problem: PlatformProblem, status: number, retryAt: EpochMs | null) => Answer | null;
};

/** Makes a call. Never throws: failures are values. */
export type PlatformRequester = <Answer>(call: PlatformRequest<Answer>) => Promise<Answer | PlatformFailure>;

/** A requester for the platform at `baseUrl`, which identifies itself by `userAgent`. */
export function createRequester({
  baseUrl,
  userAgent,
  send,
  note: noteFailure,
  now,
  onDrift = () => {},
}: {
  baseUrl: string;
  userAgent: string;
  send: Send;
  note: NoteFailure;
  now: () => EpochMs;
  /** Called with each field of an answer that is not as the contract says. */
  onDrift?: (field: string) => void;
}): PlatformRequester {
  const root = baseUrl.replace(/\/+$/, "");
  const clock = createPlatformClock();

  return async ({
    call,
    method,
    path,
    query,
    accessToken,
    headers,
    body,
    timeoutMs,
    tooLong,
    parse,
    parseRefusal,
  }) => {
    const search = new URLSearchParams(query).toString();
    const received = await httpExchange(
      {
        url: `${root}${path}${search && `?${search}`}`,
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
      { send, note: noteFailure, limitMs: timeoutMs },
    );
    if (received.kind === "too_long") return tooLong ?? { kind: "unreadable" };
    if (received.kind !== "arrived") return received;
    const { status } = received;
    const noteDrift = (field: string) => onDrift(`${call} ${field}`);
    const clockAheadMs = clock.read(received.headers, now());
    const json = parseJson(received.text);
    if ((status >= 200 && status < 300) || status === 304) {
      const parsed = parse({
        status,
        headers: received.headers,
        json,
        bodyLength: received.text.length,
        now: now(),
        clockAheadMs,
        note: noteDrift,
      });
      return parsed ?? toPlatformFailure(received, { problem: null, now: now() });
    }
    // Nobody expects problem details of a server that failed, nor of a gateway before it.
    const note = status < 500 && json !== undefined ? noteDrift : () => {};
    const problem = readProblem(json, { note, clockAheadMs });
    if (problem && status >= 400 && status < 500 && status !== 429 && problem.code !== "rate_limited") {
      const known = parseRefusal?.(problem, status, parseRetryAfter(received.headers, now()));
      if (known) return known;
    }
    return toPlatformFailure(received, { problem, now: now() });
  };
}

/** Parses JSON; undefined, which no shape accepts, if it is malformed. */
function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Maps an error response to the failure that any call can end with, by its code if we know it, else by its
 * status. `problem` is null if the body is not problem details. The code of a 5xx is ignored: the call may have
 * taken effect all the same. Any response's word about waiting counts, whatever its status.
 */
function toPlatformFailure(
  { status, headers }: { status: number; headers: Headers },
  { problem, now }: { problem: PlatformProblem | null; now: EpochMs },
): PlatformFailure {
  if (status < 500 && (status === 429 || problem?.code === "rate_limited"))
    return { kind: "rate_limited", retryAt: parseRefusalEnd(headers, now) };
  const retryAt = parseRetryAfter(headers, now);
  const stated = retryAt === null ? {} : { retryAt };
  const cause = causeOfStatus(status);
  if (status >= 500) return { kind: "unreachable", ...stated, ...(cause && { cause }) };
  if (status < 400) return { kind: "unreadable", ...stated };
  if (status === 401) return { kind: "signed_out", ...stated };
  if (problem && asksForDriver(problem, status)) return { kind: "verification_required", url: problem.url };
  return { kind: "refused", status, ...stated };
}

/** `Date` has whole seconds, and an answer is under way for a while: less than this is no difference. */
const AGREES_WITHIN_MS: DurationMs = 10_000;
/** A difference that changes by less stays as it was, so that what is computed from it doesn't change with every answer. */
const STEADY_WITHIN_MS: DurationMs = 5_000;

/** How far our clock is ahead of the platform's, by the `Date` of its answers. */
type PlatformClock = { read(headers: Headers, now: EpochMs): DurationMs };

function createPlatformClock(): PlatformClock {
  let aheadMs: DurationMs = 0;
  return {
    read(headers, now) {
      const date = parseHttpDate(headers.get("date")?.trim() ?? "");
      if (date === null) return aheadMs;
      const found = Math.abs(now - date) < AGREES_WITHIN_MS ? 0 : now - date;
      if (found === 0 || Math.abs(found - aheadMs) > STEADY_WITHIN_MS) aheadMs = found;
      return aheadMs;
    },
  };
}
