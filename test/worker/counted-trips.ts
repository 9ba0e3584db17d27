import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import * as z from "zod";
import { API_ROUTES } from "../../worker/contract/api-routes.ts";
import { app } from "../../worker/app.ts";
import { isolateOf } from "../../worker/http/isolate.ts";
import { clearLivenessCache } from "../../worker/identity/tokens/sessions.ts";
import { countTrips } from "./trips.ts";
import { advanceClock, apiTarget, resetPlatform } from "./harness.ts";

const { database, trips } = countTrips(env.DB);
const settings = {
  ...env,
  DB: database,
  IDENTITY: "embedded",
  OPS_URL: "https://ops.example",
  CHATWOOT_URL: "https://chat.example/",
  CHATWOOT_TOKEN: "web1",
  CHATWOOT_HMAC_KEY: "secret",
  RECORDING_SCRIPT_URL: "https://www.recorder.example/tag/1",
};

/**
 * The most trips in a row that a route made in any of its calls, and an operation in any that was served, with their
 * statuses.
 */
export const seen = new Map<string, { trips: number; log: readonly string[]; statuses: Set<number> }>();

const ROUTES = Object.keys(API_ROUTES).map((name) => {
  const [method = "", path = ""] = name.split(" ");
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return { name, method, pattern, isLiteral: !path.includes("{") };
});

/** The API's call or the pool's operation that a request is. */
function nameOf(request: Request): string {
  const { pathname } = new URL(request.url);
  const operation = request.headers.get("x-amz-target")?.split(".")[1];
  if (operation) return operation;
  const matching = ROUTES.filter(
    ({ method, pattern }) => method === request.method && pattern.test(pathname),
  );
  return (
    (matching.find(({ isLiteral }) => isLiteral) ?? matching[0])?.name ?? `${request.method} ${pathname}`
  );
}

/**
 * A deployment with the embedded pool that notes what each call waits for: the trips to D1 one after the other until
 * its response. No session is known from an earlier call, as in an isolate that the caller hasn't reached before.
 */
export const counted: typeof apiTarget = {
  origin: apiTarget.origin,
  fetch: async (input, init) => {
    const context = createExecutionContext();
    const request = new Request(input, init);
    const name = nameOf(request);
    // An isolate has one deployment, which has long looked at its keys; tests take turns with others.
    await isolateOf(settings).requireMasterKeys();
    // A driver may make 120 calls in ten seconds.
    advanceClock(300);
    const authorization = request.headers.get("authorization");
    if (authorization?.startsWith("Bearer "))
      await app.fetch(
        new Request(`${counted.origin}/flex/v1/none`, { headers: { authorization } }),
        settings,
        context,
      );
    clearLivenessCache();
    trips.reset();
    const response = await app.fetch(request, settings, context);
    const made = trips.inARow();
    const known = seen.get(name) ?? { trips: -1, log: [], statuses: new Set() };
    known.statuses.add(response.status);
    // The pool's refusals look at more than one thing, and nobody waits for them to go on.
    const isMeasured = name.includes(" ") || response.ok;
    const isMost = isMeasured && made > known.trips;
    seen.set(name, isMost ? { ...known, trips: made, log: trips.log().slice() } : known);
    await waitOnExecutionContext(context);
    return response;
  },
};

/** A new platform, and the signing keys that a deployment makes once. */
export async function openCounted(): Promise<void> {
  await resetPlatform();
  await counted.fetch(`${counted.origin}/identity/local_Jornada1/.well-known/jwks.json`);
}

/** Calls an operation of its pool, as a page does. */
export async function callCountedPool(operation: string, body: object): Promise<Record<string, unknown>> {
  const response = await counted.fetch(`${counted.origin}/identity/`, {
    method: "POST",
    headers: {
      "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
      "cf-connecting-ip": "203.0.113.7",
    },
    body: JSON.stringify({ ClientId: "jornadaweb", ...body }),
  });
  const text = new TextDecoder().decode(await response.arrayBuffer());
  return text === "" ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}
