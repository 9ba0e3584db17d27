import type { DurationMs } from "../../db/shapes/units.ts";
import type { Send } from "../runtime/send.ts";

/** Longer bodies are rejected. 200 offers are about 80 kB. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const BODYLESS_STATUSES = new Set([204, 205, 304]);

/** The response with its whole body as text, or why there is none. */
export type HttpOutcome =
  | { kind: "arrived"; status: number; headers: Headers; text: string }
  /** The time limit passed; the request may or may not have taken effect. */
  | { kind: "timeout" }
  /** The connection failed or broke; the request may or may not have taken effect. */
  | { kind: "unreachable" }
  /** The body is longer than 2 MB, or is not UTF-8. */
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
 * which would pass the token on. The limit holds even if `send` ignores the request's signal.
 */
export async function httpExchange(
  { url, ...init }: HttpRequest,
  { send, limitMs }: { send: Send; limitMs: DurationMs },
): Promise<HttpOutcome> {
  const controller = new AbortController();
  // Not AbortSignal.timeout: its timer can't be cleared, and a pending timer keeps the object from hibernating.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<HttpOutcome>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: "timeout" });
      controller.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([transfer({ url, ...init }, send, controller.signal), timedOut]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

async function transfer(
  { url, ...init }: HttpRequest,
  send: Send,
  signal: AbortSignal,
): Promise<HttpOutcome> {
  try {
    const response = await send(new Request(url, { ...init, redirect: "manual", signal }));
    const { status, headers } = response;
    if (BODYLESS_STATUSES.has(status) || !response.body) {
      await response.body?.cancel();
      return { kind: "arrived", status, headers, text: "" };
    }
    const bytes = await readBytes(response.body);
    const text = bytes && decode(bytes);
    return text === null ? { kind: "unreadable" } : { kind: "arrived", status, headers, text };
  } catch {
    return { kind: signal.aborted ? "timeout" : "unreachable" };
  }
}

/** Reads the body; null as soon as it is too long. */
async function readBytes(body: ReadableStream): Promise<Uint8Array | null> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > MAX_BODY_BYTES) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}
