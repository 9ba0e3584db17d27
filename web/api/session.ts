import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import { AuthError, FAILED, refusal } from "./auth-error.ts";
import { callIdentity, type Identity } from "./identity-call.ts";

/** Who is signed in, as the identity library keeps it in local storage. */
export type AuthUser = {
  username: string;
  phoneNumber: string | null;
  phoneNumberVerified: boolean;
  accessToken: string;
  idToken: string;
  /** Epoch ms. */
  idTokenExp: number;
  refreshToken: string | null;
};

/** A token is renewed this long before its end, so that it does not run out on its way. */
const RENEW_BEFORE_MS = 60_000;
const LIBRARY_PREFIX = "CognitoIdentityServiceProvider";
const RENEWAL_LOCK = "jornada.renewal";

const claims = z.object({
  exp: z.number(),
  phone_number: z.optional(z.string()),
  phone_number_verified: z.optional(z.boolean()),
  name: z.optional(z.string()),
});
const renewed = z.object({
  AuthenticationResult: z.object({ IdToken: z.string(), AccessToken: z.string() }),
});
const refused = z.object({ __type: z.string() });

/** `undefined` until it was looked for, `null` when nobody is signed in. */
export const sessionStore = createStore<AuthUser | null | undefined>(undefined);

/** Reads the stored session; null where there is none or it can't be read. */
export function readSession(clientId: string): AuthUser | null {
  const prefix = `${LIBRARY_PREFIX}.${clientId}`;
  const username = localStorage.getItem(`${prefix}.LastAuthUser`);
  const idToken = username && localStorage.getItem(`${prefix}.${username}.idToken`);
  const accessToken = username && localStorage.getItem(`${prefix}.${username}.accessToken`);
  if (!username || !idToken || !accessToken) return null;
  const payload = readClaims(idToken);
  if (!payload) return null;
  return {
    username,
    phoneNumber: payload.phone_number ?? null,
    phoneNumberVerified: payload.phone_number_verified ?? false,
    accessToken,
    idToken,
    idTokenExp: payload.exp * 1000,
    refreshToken: localStorage.getItem(`${prefix}.${username}.refreshToken`),
  };
}

/** The name that a token carries; null where it has none. */
export function readName({ idToken }: Pick<AuthUser, "idToken">): string | null {
  return readClaims(idToken)?.name ?? null;
}

/** Looks for a stored session and says who is signed in. One that has ended and can't be renewed counts as none. */
export function startSession({ clientId }: Identity, now: number): AuthUser | null {
  const stored = readSession(clientId);
  const usable = stored && (stored.idTokenExp > now || stored.refreshToken) ? stored : null;
  sessionStore.setState((known) => (isSame(known, usable) ? known : usable));
  return usable;
}

/**
 * Follows what other tabs do: who signs out or in there does so here.
 * @returns what ends it
 */
export function followOtherTabs(identity: Identity): () => void {
  const prefix = `${LIBRARY_PREFIX}.${identity.clientId}.`;
  const look = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefix)) startSession(identity, Date.now());
  };
  window.addEventListener("storage", look);
  return () => window.removeEventListener("storage", look);
}

/** Forgets the session here; the identity provider's side is the sign-out screen's. */
export function endSession({ clientId }: Identity): void {
  const prefix = `${LIBRARY_PREFIX}.${clientId}.`;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix)) localStorage.removeItem(key);
  }
  sessionStore.setState(() => null);
}

let renewal: Promise<string> | null = null;

/**
 * A token that is good now, renewed where needed, once for all who ask; null where nobody is signed in.
 * @param force whether to renew one that looks good, because the server did not take it
 * @throws {AuthError} `NetworkError`, by which nobody is signed out; `NoRefreshToken` or `SessionEnded`, by which one is
 */
export async function currentToken(
  identity: Identity,
  { now, force = false }: { now: number; force?: boolean },
): Promise<string | null> {
  const session = sessionStore.get() ?? startSession(identity, now);
  if (!session) return null;
  if (!force && session.idTokenExp - now > RENEW_BEFORE_MS) return session.idToken;
  if (!session.refreshToken) {
    if (session.idTokenExp > now && !force) return session.idToken;
    endSession(identity);
    throw refusal("NoRefreshToken");
  }
  renewal ??= alone(() => renew(identity, session)).finally(() => {
    renewal = null;
  });
  return renewal;
}

/** One tab at a time, where the browser can see to that. */
async function alone(run: () => Promise<string>): Promise<string> {
  // Missing outside of secure contexts: there, two tabs may both renew, which costs a call and harms nothing.
  const locks: LockManager | undefined = navigator.locks;
  return locks ? await locks.request(RENEWAL_LOCK, run) : await run();
}

async function renew(identity: Identity, session: AuthUser): Promise<string> {
  const earlier = changedMeanwhile(identity, session);
  if (earlier) return earlier;
  const { ok, body } = await callIdentity(identity, "InitiateAuth", {
    AuthFlow: "REFRESH_TOKEN_AUTH",
    ClientId: identity.clientId,
    AuthParameters: { REFRESH_TOKEN: session.refreshToken },
  });
  const tokens = ok ? z.safeParse(renewed, body) : null;
  if (!tokens?.success) {
    // What is stored outlives a provider in trouble: the next start of the page tries it again.
    if (isRefusal(body)) endSession(identity);
    else sessionStore.setState(() => null);
    throw new AuthError("SessionEnded", FAILED.renew);
  }
  const meanwhile = changedMeanwhile(identity, session);
  if (meanwhile) return meanwhile;
  const { IdToken, AccessToken } = tokens.data.AuthenticationResult;
  const prefix = `${LIBRARY_PREFIX}.${identity.clientId}.${session.username}`;
  localStorage.setItem(`${prefix}.accessToken`, AccessToken);
  localStorage.setItem(`${prefix}.idToken`, IdToken);
  sessionStore.setState(() => readSession(identity.clientId));
  return IdToken;
}

/**
 * The token of a session that has taken this one's place in storage: another tab was first. Null where it still stands.
 * @throws {AuthError} `SessionEnded` where it was signed out, here or elsewhere
 */
function changedMeanwhile({ clientId }: Identity, session: AuthUser): string | null {
  const stored = readSession(clientId);
  if (stored?.idToken === session.idToken) return null;
  sessionStore.setState(() => stored);
  if (!stored) throw new AuthError("SessionEnded", FAILED.renew);
  return stored.idToken;
}

function isRefusal(body: unknown): boolean {
  const parsed = z.safeParse(refused, body);
  return parsed.success && parsed.data.__type.includes("NotAuthorizedException");
}

function isSame(one: AuthUser | null | undefined, other: AuthUser | null): boolean {
  if (!one || !other) return one === other;
  return (
    one.username === other.username &&
    one.idToken === other.idToken &&
    one.accessToken === other.accessToken &&
    one.refreshToken === other.refreshToken
  );
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
