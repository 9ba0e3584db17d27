import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import type { PublicConfig } from "../../worker/contract/status.ts";

/** Who is signed in, as the identity library keeps it in local storage. */
export type Session = {
  username: string;
  phoneNumber: string | null;
  name: string | null;
  idToken: string;
  /** Epoch ms. */
  idTokenExp: number;
  refreshToken: string | null;
};

type Identity = PublicConfig["identity"];

/** A token is renewed this long before its end, so that it does not run out on its way. */
const RENEW_BEFORE_MS = 60_000;
const LIBRARY_PREFIX = "CognitoIdentityServiceProvider";

const claims = z.object({
  exp: z.number(),
  phone_number: z.optional(z.string()),
  name: z.optional(z.string()),
});
const renewed = z.object({
  AuthenticationResult: z.object({ IdToken: z.string(), AccessToken: z.string() }),
});
const refusal = z.object({ __type: z.string() });

/** `undefined` until it was looked for, `null` when nobody is signed in. */
export const sessionStore = createStore<Session | null | undefined>(undefined);

/** Reads the stored session; null where there is none or it can't be read. */
export function readSession(clientId: string): Session | null {
  const prefix = `${LIBRARY_PREFIX}.${clientId}`;
  const username = localStorage.getItem(`${prefix}.LastAuthUser`);
  const idToken = username && localStorage.getItem(`${prefix}.${username}.idToken`);
  if (!username || !idToken) return null;
  const payload = readClaims(idToken);
  if (!payload) return null;
  return {
    username,
    idToken,
    phoneNumber: payload.phone_number ?? null,
    name: payload.name ?? null,
    idTokenExp: payload.exp * 1000,
    refreshToken: localStorage.getItem(`${prefix}.${username}.refreshToken`),
  };
}

/** Looks for a stored session and says who is signed in. One that has ended and can't be renewed counts as none. */
export function startSession({ clientId }: Identity, now: number): Session | null {
  const stored = readSession(clientId);
  const usable = stored && (stored.idTokenExp > now || stored.refreshToken) ? stored : null;
  sessionStore.setState(() => usable);
  return usable;
}

/** Forgets the session here; the identity provider's side is the sign-out screen's. */
export function endSession({ clientId }: Identity): void {
  const prefix = `${LIBRARY_PREFIX}.${clientId}.`;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix)) localStorage.removeItem(key);
  }
  sessionStore.setState(() => null);
}

let renewal: Promise<string | null> | null = null;

/** A token that is good now, renewed where needed; null where nobody is signed in. */
export async function currentToken(
  identity: Identity,
  { now, force = false }: { now: number; force?: boolean },
): Promise<string | null> {
  const session = sessionStore.get() ?? startSession(identity, now);
  if (!session) return null;
  if (!force && session.idTokenExp - now > RENEW_BEFORE_MS) return session.idToken;
  if (!session.refreshToken) return session.idTokenExp > now && !force ? session.idToken : null;
  renewal ??= renew(identity, session, session.refreshToken).finally(() => {
    renewal = null;
  });
  return renewal;
}

async function renew(identity: Identity, session: Session, refreshToken: string): Promise<string | null> {
  const response = await callIdentity(identity, "InitiateAuth", {
    AuthFlow: "REFRESH_TOKEN_AUTH",
    ClientId: identity.clientId,
    AuthParameters: { REFRESH_TOKEN: refreshToken },
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const refused = z.safeParse(refusal, body);
    if (refused.success && refused.data.__type.includes("NotAuthorizedException")) endSession(identity);
    return null;
  }
  const { IdToken, AccessToken } = z.parse(renewed, body).AuthenticationResult;
  const prefix = `${LIBRARY_PREFIX}.${identity.clientId}.${session.username}`;
  localStorage.setItem(`${prefix}.idToken`, IdToken);
  localStorage.setItem(`${prefix}.accessToken`, AccessToken);
  sessionStore.setState(() => readSession(identity.clientId));
  return IdToken;
}

/** One call to the identity provider, for what is needed before its library is. */
export function callIdentity(identity: Identity, operation: string, body: unknown): Promise<Response> {
  return fetch(identity.endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify(body),
  });
}

/** The claims of a token, unverified: the server verifies, the page only reads when it ends. */
function readClaims(token: string): z.infer<typeof claims> | null {
  const payload = token.split(".")[1];
  if (!payload) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
    const parsed = z.safeParse(claims, JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
