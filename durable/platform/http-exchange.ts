import type { DurationMs } from "../../db/shapes/units.ts";
import type { FailureCause } from "../../db/shapes/fleet.ts";
import { causeOf, type NoteFailure } from "../runtime/call-failure.ts";
import type { Send } from "../runtime/send.ts";

/**
 * Longer bodies are rejected. An offer is about 250 to 400 characters, and the contract lists 200. Measured in V8: a
 * list of 8 MB (34,000 offers) needs 72 MB at its peak, with parsing and judging, and one of 16 MB 96 MB; an object
 * has 128 MB, which it shares with others of its kind.
 */
export const MAX_BODY_CHARS = 6 * 1024 * 1024;
const BODYLESS_STATUSES = new Set([204, 205, 304]);

/** The response with its whole body as text, or why there is none. */
export type HttpOutcome =
  | { kind: "arrived"; status: number; headers: Headers; text: string }
  /** The time limit passed; the request may or may not have taken effect. */
  | { kind: "timeout" }
  /** The connection failed or broke, for `cause` where that is known; the request may or may not have taken effect. */
  | { kind: "unreachable"; cause?: FailureCause }
  /** The body is longer than `MAX_BODY_CHARS`. */
  | { kind: "too_long" }
  /** The body is not UTF-8. */
  | { kind: "unreadable" };

/** A request without its abort signal. */
export type HttpRequest = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

/**
 * Sends a request and reads the whole response within one time limit. Never throws, and never follows a redirect,
 * which would pass the token on. The limit holds even if `send` ignores the request's signal. A failure's cause is noted.
 */
export async function httpExchange(
  { url, ...init }: HttpRequest,
  { send, limitMs, note }: { send: Send; limitMs: DurationMs; note: NoteFailure },
): Promise<HttpOutcome> {
  const controller = new AbortController();
  // Not AbortSignal.timeout: its timer can't be cleared, and a pending timer keeps the object from hibernating.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<HttpOutcome>((resolve) => {
    timer = setTimeout(() => {
      note({ cause: "timed_out" });
      resolve({ kind: "timeout" });
      controller.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([
      transfer({ url, ...init }, { send, signal: controller.signal, note }),
      timedOut,
    ]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

async function transfer(
  { url, ...init }: HttpRequest,
  { send, signal, note }: { send: Send; signal: AbortSignal; note: NoteFailure },
): Promise<HttpOutcome> {
  try {
    const response = await send(new Request(url, { ...init, redirect: "manual", signal }));
    const { status, headers } = response;
    note({ status });
    if (BODYLESS_STATUSES.has(status) || !response.body) {
      await response.body?.cancel();
      return { kind: "arrived", status, headers, text: "" };
    }
    const body = await readText(response.body);
    return body.kind === "text" ? { kind: "arrived", status, headers, text: body.text } : body;
  } catch (thrown) {
    // The time limit is noted as such, and the abort that follows says no more.
    if (signal.aborted) return { kind: "timeout" };
    note({ thrown });
    const cause = causeOf(thrown);
    return cause === "other" ? { kind: "unreachable" } : { kind: "unreachable", cause };
  }
}

/** Reads the body piece by piece, so that it is never in memory twice, and only as far as it is of use. */
async function readText(
  body: ReadableStream,
): Promise<{ kind: "text"; text: string } | { kind: "too_long" } | { kind: "unreadable" }> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    const piece = decode(decoder, value);
    if (piece === null) {
      await reader.cancel();
      return { kind: "unreadable" };
    }
    text += piece;
    if (done) return { kind: "text", text };
    if (text.length > MAX_BODY_CHARS) {
      await reader.cancel();
      return { kind: "too_long" };
    }
  }
}

/** The next piece of a text; null if it is not UTF-8. Without bytes, the end of the text. */
function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): string | null {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    return null;
  }
}
