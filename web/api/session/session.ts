import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import { AuthError, isAccountDisabled, localAuthError, RENEWAL_FAILED } from "./auth-error.ts";
import { RENEW_BEFORE_MS } from "../../early/early-calls.ts";
import { SESSION_PREFIX } from "../../early/page-root.ts";
import { serverNow } from "../../early/server-clock.ts";
import { tokenStorage } from "./token-storage.ts";
import { cognitoRequest, usesOwnPool, type CognitoConfig } from "./cognito-request.ts";

/** The signed-in user, as the identity library stores them. */
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

const RENEWAL_LOCK = "jornada.renewal";
/** A tab's write to storage reaches the other tabs within this time. */
const STORED_MS = 300;

const claims = z.object({
  exp: z.number(),
  sub: z.optional(z.string()),
  origin_jti: z.optional(z.string()),
  phone_number: z.optional(z.string()),
  phone_number_verified: z.optional(z.boolean()),
  name: z.optional(z.string()),
});
const renewalResponse = z.object({
  AuthenticationResult: z.object({
    IdToken: z.string(),
    AccessToken: z.string(),
    RefreshToken: z.optional(z.string()),
  }),
});
const refusalResponse = z.object({ __type: z.string(), message: z.optional(z.string()) });

/** `undefined` until it is restored, `null` if nobody is signed in. */
export const sessionStore = createStore<AuthUser | null | undefined>(undefined);

/** Why a session ended that nobody signed out here. A deleted account's is revoked, too. */
export type SignOutCause = "revoked" | "disabled";

/** How the last session on this device ended; null if the driver signed out here, or once the next session begins. */
export const sessionEndStore = createStore<SignOutCause | null>(null);

/** Loads the stored session; null if there is none or it is malformed. */
export function loadSession(clientId: string): AuthUser | null {
  const prefix = `${SESSION_PREFIX}.${clientId}`;
  const username = tokenStorage.getItem(`${prefix}.LastAuthUser`);
  const idToken = username && tokenStorage.getItem(`${prefix}.${username}.idToken`);
  const accessToken = username && tokenStorage.getItem(`${prefix}.${username}.accessToken`);
  if (!username || !idToken || !accessToken) return null;
  const payload = parseClaims(idToken);
  if (!payload) return null;
  return {
    username,
    phoneNumber: payload.phone_number ?? null,
    phoneNumberVerified: payload.phone_number_verified ?? false,
    accessToken,
    idToken,
    idTokenExp: payload.exp * 1000,
    refreshToken: tokenStorage.getItem(`${prefix}.${username}.refreshToken`),
  };
}

/** The subject of a token; null if it has none. */
export function parseTokenSubject({ idToken }: Pick<AuthUser, "idToken">): string | null {
  return parseClaims(idToken)?.sub ?? null;
}

/** The session of a token, which stays the same as it is renewed; null if it has none. */
export function parseTokenSession({ idToken }: Pick<AuthUser, "idToken">): string | null {
  return parseClaims(idToken)?.origin_jti ?? null;
}

/** The session of whoever is signed in on this device; null if nobody is, or another pool signs drivers in. */
export function currentSession(): string | null {
  const user = sessionStore.get();
  return user ? parseTokenSession(user) : null;
}

/** The name in a token; null if it has none. */
export function parseTokenName({ idToken }: Pick<AuthUser, "idToken">): string | null {
  return parseClaims(idToken)?.name ?? null;
}

/** Restores the stored session and returns who is signed in. An expired one that can't be renewed counts as none. */
export function restoreSession({ clientId }: CognitoConfig, now: number): AuthUser | null {
  const stored = loadSession(clientId);
  const usable = stored && (stored.idTokenExp > now || stored.refreshToken) ? stored : null;
  sessionStore.setState((known) => (isSameSession(known, usable) ? known : usable));
  return usable;
}

/** Stores the tokens of a sign-in as the identity library does, and opens the session. */
export function saveSession(
  identity: CognitoConfig,
  { IdToken, AccessToken, RefreshToken }: { IdToken: string; AccessToken: string; RefreshToken: string },
): void {
  const username = parseTokenSubject({ idToken: IdToken }) ?? "";
  const prefix = `${SESSION_PREFIX}.${identity.clientId}`;
  tokenStorage.setItem(`${prefix}.${username}.refreshToken`, RefreshToken);
  tokenStorage.setItem(`${prefix}.${username}.accessToken`, AccessToken);
  tokenStorage.setItem(`${prefix}.${username}.idToken`, IdToken);
  tokenStorage.setItem(`${prefix}.${username}.clockDrift`, "0");
  tokenStorage.setItem(`${prefix}.LastAuthUser`, username);
  restoreSession(identity, serverNow());
}

/**
 * Follows sign-ins and sign-outs in other tabs, even those that a page missed while it was in the browser's back-forward cache.
 * @returns a function that stops it
 */
export function syncAcrossTabs(identity: CognitoConfig): () => void {
  const prefix = `${SESSION_PREFIX}.${identity.clientId}.`;
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefix)) restoreSession(identity, serverNow());
  };
  const onShown = ({ persisted }: PageTransitionEvent) => {
    if (persisted) restoreSession(identity, serverNow());
  };
  window.addEventListener("storage", onStorage);
  window.addEventListener("pageshow", onShown);
  return () => {
    window.removeEventListener("storage", onStorage);
    window.removeEventListener("pageshow", onShown);
  };
}

/** Calls back on every sign-out, for as long as the page lives. */
export function onSignedOut(callback: () => void): void {
  let username = sessionStore.get()?.username;
  sessionStore.subscribe(() => {
    const next = sessionStore.get()?.username;
    const isGone = username !== undefined && next !== username;
    username = next;
    if (isGone) callback();
  });
}

/** Clears the session on this device. Revoking it at the identity provider is up to the caller. */
export function clearSession({ clientId }: CognitoConfig): void {
  const prefix = `${SESSION_PREFIX}.${clientId}.`;
  for (const key of tokenStorage.keys()) {
    if (key.startsWith(prefix)) tokenStorage.removeItem(key);
  }
  sessionStore.setState(() => null);
}

let pendingRenewal: Promise<string> | null = null;

/**
 * A valid token, renewed if necessary, once for all concurrent callers; null if nobody is signed in.
 * @param force renews a token that looks valid, because the server rejected it
 * @throws {AuthError} `NetworkError`, which signs nobody out; `NoRefreshToken` or `SessionEnded`, which do
 */
export async function currentToken(
  identity: CognitoConfig,
  { now, force = false }: { now: number; force?: boolean },
): Promise<string | null> {
  const known = sessionStore.get();
  // A late response must not restore a session that this page has cleared.
  const session = known === undefined ? restoreSession(identity, now) : known;
  if (!session) return null;
  if (!force && session.idTokenExp - now > RENEW_BEFORE_MS) return session.idToken;
  if (!session.refreshToken) {
    if (session.idTokenExp > now && !force) return session.idToken;
    clearSession(identity);
    throw localAuthError("NoRefreshToken");
  }
  pendingRenewal ??= renewInOneTab(identity, session).finally(() => {
    pendingRenewal = null;
  });
  return pendingRenewal;
}

/**
 * One tab at a time, if the browser supports locks. A lock changes hands faster than the stored tokens reach another tab, so
 * the first tab keeps it a little longer, and a waiting tab takes the tokens when they arrive.
 */
async function renewInOneTab(identity: CognitoConfig, session: AuthUser): Promise<string> {
  // Missing outside of secure contexts: there, two tabs may both renew, which costs a call and harms nothing.
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return renewTokens(identity, session);
  const taken = new AbortController();
  const { signal } = taken;
  const renewed = new Promise<string>((resolve, reject) => {
    const takeStored = () => {
      try {
        const token = tokenFromOtherTab(identity, session);
        if (token) resolve(token);
      } catch (error) {
        reject(error);
      }
    };
    window.addEventListener("storage", takeStored, { signal });
    const renew = async () => {
      resolve(await renewTokens(identity, session));
      await new Promise((release) => setTimeout(release, STORED_MS));
    };
    locks.request(RENEWAL_LOCK, { signal }, renew).catch(reject);
  });
  return renewed.finally(() => taken.abort());
}

async function renewTokens(identity: CognitoConfig, session: AuthUser): Promise<string> {
  const otherTabToken = tokenFromOtherTab(identity, session);
  if (otherTabToken) return otherTabToken;
  const prefix = `${SESSION_PREFIX}.${identity.clientId}.${session.username}`;
  // Kept until the response is stored: if that is lost, the next try is the same renewal, however late.
  const renewal = tokenStorage.getItem(`${prefix}.renewal`) ?? makeSecret();
  tokenStorage.setItem(`${prefix}.renewal`, renewal);
  const request = { ClientId: identity.clientId, ClientMetadata: { renewal } };
  const { refreshToken } = session;
  // A client of AWS that rotates refresh tokens takes no flow of that name.
  const { ok, body } = await (usesOwnPool(identity)
    ? cognitoRequest(identity, "InitiateAuth", {
        ...request,
        AuthFlow: "REFRESH_TOKEN_AUTH",
        AuthParameters: { REFRESH_TOKEN: refreshToken },
      })
    : cognitoRequest(identity, "GetTokensFromRefreshToken", {
        ...request,
        RefreshToken: refreshToken,
        // The library has one where the pool remembers devices.
        DeviceKey: tokenStorage.getItem(`${prefix}.deviceKey`) ?? undefined,
      }));
  const tokens = ok ? z.safeParse(renewalResponse, body) : null;
  // A driver who has signed in again meanwhile, here or in another tab, ended the former session.
  const concurrentToken = tokenFromOtherTab(identity, session);
  if (concurrentToken) return concurrentToken;
  if (!tokens?.success) {
    // The stored session survives a provider outage: the next start of the page tries again.
    const end = sessionEndOf(body);
    if (end) {
      sessionEndStore.setState(() => end);
      clearSession(identity);
    } else sessionStore.setState(() => null);
    throw new AuthError("SessionEnded", RENEWAL_FAILED);
  }
  const { IdToken, AccessToken, RefreshToken } = tokens.data.AuthenticationResult;
  // Stored first: the former token is good for this renewal only.
  if (RefreshToken !== undefined) tokenStorage.setItem(`${prefix}.refreshToken`, RefreshToken);
  tokenStorage.setItem(`${prefix}.accessToken`, AccessToken);
  tokenStorage.setItem(`${prefix}.idToken`, IdToken);
  tokenStorage.removeItem(`${prefix}.renewal`);
  sessionStore.setState(() => loadSession(identity.clientId));
  return IdToken;
}

/** A random secret, 128 bits: each byte in decimal. */
export function makeSecret(): string {
  return crypto.getRandomValues(new Uint8Array(16)).join("-");
}

/**
 * The token of the session that replaced this one in storage, because another tab was first; null if none did.
 * @throws {AuthError} `SessionEnded` if it was signed out, here or elsewhere
 */
function tokenFromOtherTab({ clientId }: CognitoConfig, session: AuthUser): string | null {
  const stored = loadSession(clientId);
  if (stored?.idToken === session.idToken) return null;
  sessionStore.setState(() => stored);
  if (!stored) throw new AuthError("SessionEnded", RENEWAL_FAILED);
  return stored.idToken;
}

/** Null if the session hasn't ended and only can't be renewed now. */
function sessionEndOf(body: unknown): SignOutCause | null {
  const { data } = z.safeParse(refusalResponse, body);
  if (!/NotAuthorized|RefreshTokenReuse/.test(data?.__type ?? "")) return null;
  return isAccountDisabled(new AuthError("NotAuthorizedException", data?.message ?? ""))
    ? "disabled"
    : "revoked";
}

function isSameSession(one: AuthUser | null | undefined, other: AuthUser | null): boolean {
  if (!one || !other) return one === other;
  return (
    one.username === other.username &&
    one.idToken === other.idToken &&
    one.accessToken === other.accessToken &&
    one.refreshToken === other.refreshToken
  );
}

/** The claims of a token, unverified: the server verifies, the page only needs the expiry. */
function parseClaims(token: string): z.infer<typeof claims> | null {
  const payload = token.split(".")[1];
  if (!payload) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
      character.charCodeAt(0),
    );
    const parsed = z.safeParse(claims, JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
