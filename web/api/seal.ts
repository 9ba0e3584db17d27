import { health } from "../../worker/contract/status.ts";
import { parseResponse, request, requestAsDriver } from "./client.ts";
import { ApiError, parseApiError } from "./api-error.ts";

/** The key of `/status/health` and the id that names it. */
export type SealKey = { id: string; key: CryptoKey };

export type SealedBody = { v: 1; id: string; nonce: string; data: string };

const NONCE_BYTES = 16;
const IV_BYTES = 12;

let sealKeyPromise: Promise<SealKey> | null = null;

/** Sends a sealed body; where the server finds the seal too old, asks for a new one and repeats once. */
export async function sendSealed(
  method: "POST" | "PUT" | "PATCH",
  path: string,
  body: unknown,
): Promise<Response> {
  const response = await sendOnce(method, path, body);
  if (response.ok) return response;
  const failure = await parseApiError(response);
  if (failure.code !== "seal_expired") throw failure;
  sealKeyPromise = null;
  return sendOnce(method, path, body);
}

async function sendOnce(method: string, path: string, body: unknown): Promise<Response> {
  const sealed = await seal(await sealKey(), {
    context: `${method} ${path}`,
    nonce: crypto.getRandomValues(new Uint8Array(NONCE_BYTES)),
    at: Date.now(),
    body,
  });
  return requestAsDriver(path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(sealed),
  });
}

/** AES-256-GCM over `{ at, body }`, bound to the method and path. */
export async function seal(
  { id, key }: SealKey,
  {
    context,
    nonce,
    at,
    body,
  }: { context: string; nonce: Uint8Array<ArrayBuffer>; at: number; body: unknown },
): Promise<SealedBody> {
  const encoder = new TextEncoder();
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...encoder.encode(id), ...nonce]));
  const data = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: digest.slice(0, IV_BYTES), additionalData: encoder.encode(context) },
    key,
    encoder.encode(JSON.stringify({ at, body })),
  );
  return { v: 1, id, nonce: toBase64(nonce), data: toBase64(new Uint8Array(data)) };
}

/** Takes a key in the form in which the header carries it. */
export async function importSealKey(id: string, key: string): Promise<SealKey> {
  const raw = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  return { id, key: await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt"]) };
}

/** GET /status/health, run at the start of the page: its two headers are the key of sealed bodies. */
export async function fetchStatus(): Promise<boolean> {
  await sealKey();
  return true;
}

function sealKey(): Promise<SealKey> {
  sealKeyPromise ??= fetchSealKey().catch((error: unknown) => {
    sealKeyPromise = null;
    throw error;
  });
  return sealKeyPromise;
}

async function fetchSealKey(): Promise<SealKey> {
  const response = await request("/status/health", { cache: "no-store" });
  await parseResponse(health, response);
  const id = response.headers.get("x-amz-cf-id");
  const key = response.headers.get("x-amz-version-id");
  if (!id || !key) throw new ApiError(response.status, "internal");
  return importSealKey(id, key);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
