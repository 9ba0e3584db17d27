import { health } from "../../../worker/contract/status.ts";
import type { SealedBody, SealedRoute } from "../../../worker/contract/sealed-body.ts";
import { STARTED_AT } from "../../early/early-calls.ts";
import { noteServerTime, serverNow } from "../../early/server-clock.ts";
import { RequestError, parseRequestError } from "./request-error.ts";
import { HEALTH_PATH, parseResponse, request } from "./request.ts";

/** The key of `/status/health` and the id that names it. */
export type SealKey = { id: string; key: CryptoKey };

const NONCE_BYTES = 16;
const IV_BYTES = 12;

let sealKeyPromise: Promise<SealKey> | null = null;
/** The page's first call for a key may have been sent before this code was loaded. */
let hasAsked = false;

/** Seals a body for its call and sends it. If the server finds the seal expired, fetches a new key and repeats once. */
export async function sendSealed(
  route: SealedRoute,
  { caller, body }: { caller: string | null; body: unknown },
  send: (sealed: SealedBody) => Promise<Response>,
): Promise<Response> {
  const sendOnce = async () => {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    return send(await seal(await sealKey(), { route, nonce, at: serverNow(), caller, body }));
  };
  const response = await sendOnce();
  if (response.ok || (await parseRequestError(response.clone())).code !== "seal_expired") return response;
  sealKeyPromise = null;
  return sendOnce();
}

/** AES-256-GCM over `{ at, caller, body }`, bound to the call by its method and path, and to the driver who makes it. */
export async function seal(
  { id, key }: SealKey,
  {
    route,
    nonce,
    at,
    caller,
    body,
  }: {
    route: SealedRoute;
    nonce: Uint8Array<ArrayBuffer>;
    at: number;
    caller: string | null;
    body: unknown;
  },
): Promise<SealedBody> {
  const encoder = new TextEncoder();
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...encoder.encode(id), ...nonce]));
  const data = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: digest.slice(0, IV_BYTES), additionalData: encoder.encode(route) },
    key,
    encoder.encode(JSON.stringify({ at, ...(caller === null ? {} : { caller }), body })),
  );
  return { v: 1, id, nonce: toBase64(nonce), data: toBase64(new Uint8Array(data)) };
}

/** Imports the key from its header. */
export async function importSealKey(id: string, key: string): Promise<SealKey> {
  const raw = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  return { id, key: await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt"]) };
}

/** GET /status/health, called when the page starts; two of its headers are the key for sealed bodies. */
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
  const askedAt = hasAsked ? Date.now() : STARTED_AT;
  hasAsked = true;
  const response = await request(HEALTH_PATH, { cache: "no-store" });
  const { now } = await parseResponse(health, response);
  if (now !== undefined) noteServerTime(now, askedAt);
  const id = response.headers.get("x-amz-cf-id");
  const key = response.headers.get("x-amz-version-id");
  if (!id || !key) throw new RequestError(response.status, "internal");
  return importSealKey(id, key);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
