import { vi } from "vitest";
import * as z from "zod/mini";
import { SEED_PRICES } from "../../db/shapes/money/plans.ts";
import { ERROR_STATUS, type ErrorCode, type FieldIssue } from "../../worker/contract/error-response.ts";
import { sealedBody, type SealedBody } from "../../worker/contract/sealed-body.ts";
import type { PublicConfig } from "../../worker/contract/status.ts";

/**
 * One network response, which may come only once something has happened; `lost` for a failed request, `cut` for a response
 * whose connection is lost within its body.
 */
export type Reply =
  | { status?: number; body: unknown; headers?: Record<string, string>; after?: Promise<unknown> }
  | "lost"
  | "cut";
type Replies = Record<string, Reply | readonly Reply[]>;

export const IDENTITY: PublicConfig["identity"] = {
  endpoint: "/identity/",
  poolId: "local_Jornada1",
  clientId: "jornadaweb",
};
const CONFIG: PublicConfig = {
  productName: "Jornada",
  publicUrl: "https://jornada.test",
  currency: "USD",
  identity: IDENTITY,
  stripePublishableKey: null,
  planPrices: SEED_PRICES,
  vapidPublicKey: null,
  support: { email: null, phone: null, whatsapp: [], announcementsUrl: null },
  chat: null,
  recording: null,
  legacyUrl: null,
  giveBack: { minutes: 45, url: null },
};
export const SUB = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** A scripted network, in place of the page's `fetch`. */
export function scriptNetwork(config: Partial<PublicConfig> = {}) {
  const calls: { operation: string; body: Record<string, unknown>; headers: Headers }[] = [];
  const replies = new Map<string, Reply | readonly Reply[]>();
  const fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const path = typeof input === "string" ? input : input instanceof URL ? input.pathname : input.url;
    if (path === "/status/config") return Response.json({ ...CONFIG, ...config });
    const headers = new Headers(init.headers);
    const operation = headers.get("x-amz-target")?.split(".")[1] ?? `${init.method ?? "GET"} ${path}`;
    if (operation === HEALTH && !replies.has(HEALTH))
      return Response.json({ ok: true, version: "1" }, { headers: SEAL_KEY });
    const given = typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    const { data: sealed } = z.safeParse(sealedBody, given);
    const body = sealed ? await openSealed(operation, sealed) : given;
    const name =
      operation === "InitiateAuth" && body["AuthFlow"] === "REFRESH_TOKEN_AUTH" ? "Refresh" : operation;
    calls.push({ operation: name, body, headers });
    // The user pool takes its calls as POST alone.
    if (!operation.includes(" ") && init.method !== "POST") return new Response(null, { status: 405 });
    const reply = next(replies, name);
    if (reply === "lost") throw new TypeError("fetch failed");
    if (reply === "cut") return cutResponse();
    await reply.after;
    return Response.json(reply.body, { status: reply.status ?? 200, headers: reply.headers ?? {} });
  };
  vi.stubGlobal("fetch", fetch);
  return {
    calls,
    /** How often an operation was called. */
    count: (operation: string) => calls.filter((call) => call.operation === operation).length,
    /** Sets the next responses of an operation; the last one repeats. */
    answer: (more: Replies) => {
      for (const [operation, reply] of Object.entries(more)) replies.set(operation, reply);
    },
  };
}

const HEALTH = "GET /status/health";
const RAW_SEAL_KEY = "k".repeat(32);
const SEAL_KEY = { "x-amz-cf-id": btoa("the key's id"), "x-amz-version-id": btoa(RAW_SEAL_KEY) };

/** The sealed body of a call, opened. */
async function openSealed(route: string, sealed: SealedBody): Promise<Record<string, unknown>> {
  const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const salt = bytesOf(sealed.id + atob(sealed.nonce));
  const iv = (await crypto.subtle.digest("SHA-256", salt)).slice(0, 12);
  const key = await crypto.subtle.importKey("raw", bytesOf(RAW_SEAL_KEY), "AES-GCM", false, ["decrypt"]);
  const way = { name: "AES-GCM", iv, additionalData: bytesOf(route) };
  const plain = await crypto.subtle.decrypt(way, key, bytesOf(atob(sealed.data)));
  return (JSON.parse(new TextDecoder().decode(plain)) as { body: Record<string, unknown> }).body;
}

type Tokens = Partial<Record<"idToken" | "accessToken" | "refreshToken", string | null>>;

/** Stores a session as the Cognito library does. */
export function storeSession(storage: Storage, tokens: Tokens = {}): void {
  const prefix = `CognitoIdentityServiceProvider.${IDENTITY.clientId}`;
  storage.setItem(`${prefix}.LastAuthUser`, SUB);
  const stored = { idToken: token("id"), accessToken: token("access"), refreshToken: "refresh", ...tokens };
  for (const [name, value] of Object.entries(stored)) {
    if (value !== null) storage.setItem(`${prefix}.${SUB}.${name}`, value);
  }
}

function next(replies: Map<string, Reply | readonly Reply[]>, operation: string): Reply {
  const planned = replies.get(operation);
  if (planned === undefined) throw new Error(`no response is scripted for ${operation}`);
  if (planned === "lost" || planned === "cut" || "body" in planned) return planned;
  const [first, ...rest] = planned;
  if (first === undefined) throw new Error(`no scripted response is left for ${operation}`);
  if (rest.length > 0) replies.set(operation, rest);
  return first;
}

/** A response whose body ends early, as a browser gives it where the connection is lost. */
export function cutResponse(status = 200): Response {
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{"'));
      stream.error(new TypeError("network error"));
    },
  });
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

/** An unsigned token with an expiry. */
export function token(
  use: "id" | "access",
  { endsInMs = 3_600_000, name = "Ana", session = "" } = {},
): string {
  const claims = {
    sub: SUB,
    token_use: use,
    exp: Math.floor((Date.now() + endsInMs) / 1000),
    iat: Math.floor(Date.now() / 1000),
    jti: crypto.randomUUID(),
    ...(session && { origin_jti: session }),
    ...(use === "id" ? { phone_number: "+15550100144", phone_number_verified: true, name } : {}),
  };
  return ["header", btoa(JSON.stringify(claims)).replaceAll("=", ""), "signature"].join(".");
}

/** The response to a sign-in or a refresh. */
export function tokenResponse(): { body: { AuthenticationResult: Record<string, string> } } {
  return { body: { AuthenticationResult: { IdToken: token("id"), AccessToken: token("access") } } };
}

/** A Cognito error response. */
export function errorReply(type: string, message = "whatever"): Reply {
  return { status: 400, body: { __type: type, message } };
}

/** The server's refusal of a call, perhaps with the fields that are wrong, a wait (s), or the tries that are left. */
export function refusalReply(
  code: ErrorCode,
  fields: Record<string, FieldIssue> = {},
  more: { retryAfter?: number; attemptsLeft?: number; verificationUrl?: string } = {},
): Reply {
  const message = { en: code, es: code, pt: code };
  return { status: ERROR_STATUS[code], body: { code, message, requestId: "r1", fields, ...more } };
}

/** An SRP challenge. The page's proof is not verified. */
export const SRP_CHALLENGE: Reply = {
  body: {
    ChallengeName: "PASSWORD_VERIFIER",
    ChallengeParameters: {
      SALT: "8ce8291892390f6b53a245933faf6164",
      SRP_B: "a6a705ae9be46a1b569958ae106cbc17",
      SECRET_BLOCK: btoa("vector-secret-block"),
      USERNAME: SUB,
      USER_ID_FOR_SRP: SUB,
    },
  },
};
