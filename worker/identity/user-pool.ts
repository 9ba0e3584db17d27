import type { JSONWebKeySet } from "jose";
import { findLiveSession } from "../../db/queries/identity/pool-sessions.ts";
import { findPoolUser, loadPoolAccount, type PoolAccount } from "../../db/queries/identity/pool-users.ts";
import type { Passkey } from "../../db/queries/identity/passkeys.ts";
import type { AccountNotice } from "../../db/queries/accounts/account-notices.ts";
import { revokeIdleSessions } from "../../db/queries/identity/live-sessions.ts";
import { sweepUnconfirmed } from "../../db/queries/identity/registrations.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { browserCookie, readBrowser } from "./accounts/known-browsers.ts";
import { findUndo, undo } from "./accounts/undo.ts";
import { runOperation } from "./operations.ts";
import { resealAllSecrets } from "./accounts/accounts.ts";
import {
  endPasskey,
  loadPasskeyRemoval,
  namePasskey,
  undoRecovery,
  viewPasskeys,
  type PasskeyList,
  type PasskeyRemoval,
} from "./passkeys/passkeys.ts";
import {
  acceptPasskey,
  offerPasskey,
  type PasskeyCaller,
  type RegistrationOffer,
} from "./passkeys/registration.ts";
import type { NewCredential } from "./passkeys/webauthn.ts";
import { createPoolContext, type PoolContext, type PoolDeps } from "./pool-context.ts";
import { CognitoError, cognitoErrors } from "./protocol/errors.ts";
import { parseDevice } from "./device.ts";
import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionSummary,
  clearLivenessCache,
  isSessionLive,
} from "./tokens/sessions.ts";
import { maintainSigningKeys, publicKeySet, verificationKeySet } from "./tokens/signing-keys.ts";
import {
  toHttpResponse,
  toDocumentResponse,
  toErrorResponse,
  toPreflightResponse,
  parseBody,
  parseTarget,
} from "./protocol/wire.ts";

const JWKS_PATH = "/.well-known/jwks.json";
const DISCOVERY_PATH = "/.well-known/openid-configuration";

/** The idle sessions that a run ends. */
const IDLE_BATCH_SIZE = 500;

/** The session's claims in a verified token. */
export type TokenFacts = { originJti: string; userId: DriverId; lifetimeSeconds: number };

/** The embedded user pool: the Cognito protocol on top of D1, for unmodified Cognito clients. */
export type UserPool = {
  issuer: string;
  /**
   * Handles protocol calls, CORS preflights, the JWKS and the OpenID discovery document. Never throws.
   * @param requestId the id that the response and its log lines carry; one is made where none is given
   */
  handle(request: Request, requestId?: string): Promise<Response>;
  /** The public keys for verifying tokens. */
  publicKeys(): Promise<JSONWebKeySet>;
  /** Those of id tokens alone. */
  idTokenKeys(): Promise<JSONWebKeySet>;
  /**
   * Whether a token is one of a live session: issued by this pool for as long as it issues tokens, its session that of
   * its account, not revoked and not expired. A positive result is cached for 30 s per isolate.
   * @param isKnown whether somebody who hears of a session's end knows that it is live: then the database isn't asked
   */
  isTokenLive(token: TokenFacts, isKnown?: () => Promise<boolean>): Promise<boolean>;
  /** Seals secrets of accounts and signing keys under the current master key. @returns how many accounts at most are left */
  resealSecrets(options: { lostIds: readonly string[]; limit: number }): Promise<number>;
  /** Makes the next signing keys where it is time, and deletes retired ones. */
  maintainSigningKeys(): Promise<{ made: number; deleted: number }>;
  /** Deletes accounts that nobody confirmed in time. @returns how many */
  sweepUnconfirmed(): Promise<number>;
  /** Ends sessions that nobody has used for two weeks. @returns how many */
  endIdleSessions(): Promise<number>;
  /** An account as we store it, without secrets; null if it doesn't exist. */
  exportAccount(id: DriverId): Promise<PoolAccount | null>;
  /** Whether a session is live now, without the cache. */
  isSessionLive(session: Omit<TokenFacts, "lifetimeSeconds">): Promise<boolean>;
  /** A session that is live now, without the cache; null if it has ended. */
  findSession(
    session: Omit<TokenFacts, "lifetimeSeconds">,
  ): Promise<{ createdAt: EpochMs; expiresAt: EpochMs } | null>;
  /** An account's sessions, the one that was used last first. */
  listSessions(userId: DriverId): Promise<SessionSummary[]>;
  /** Ends one session of an account. @returns false if it has no such session */
  endSession(session: Omit<TokenFacts, "lifetimeSeconds">): Promise<boolean>;
  /** Ends every session of an account but one. */
  endOtherSessions(userId: DriverId, keep: string): Promise<void>;
  /** The change that the token of a link undoes; null if it is forged, used or expired. */
  findUndo(token: string): Promise<AccountNotice | null>;
  /** Undoes a change. `gone`: by an earlier one's link already. `taken`: its number belongs to another account by now. */
  undo(change: AccountNotice): Promise<"undone" | "gone" | "taken">;
  /** The passkeys of an account, and what a session may do about them. */
  viewPasskeys(caller: PasskeyCaller): Promise<PasskeyList>;
  /** Starts adding a passkey. @param name its owner's, which the authenticator shows */
  offerPasskey(caller: PasskeyCaller, name: string | null): Promise<RegistrationOffer | "full" | "gone">;
  /** Adds the passkey that a browser made of an offer. */
  acceptPasskey(
    caller: PasskeyCaller,
    made: { ticket: string; credential: NewCredential; name: string },
  ): Promise<Passkey | "refused" | "full" | "busy">;
  /** The facts that decide whether a passkey may be removed. */
  loadPasskeyRemoval(caller: PasskeyCaller): Promise<PasskeyRemoval>;
  /**
   * Removes a passkey. `waiting`: within a day of a password that a texted code set.
   * @param removal what was just read of it, or is read first
   */
  endPasskey(
    caller: PasskeyCaller,
    id: string,
    removal?: PasskeyRemoval,
  ): Promise<"removed" | "waiting" | "busy" | "gone">;
  /** Gives a passkey another name. @returns false if the account has no such passkey */
  namePasskey(passkey: { id: string; userId: DriverId; name: string }): Promise<boolean>;
  /** Undoes a password that a texted code set, in a session of a passkey from before. `none`: there is no such. */
  undoRecovery(caller: PasskeyCaller): Promise<"undone" | "gone" | "taken" | "none">;
  /** Forgets which sessions were live: an account was deleted elsewhere. */
  forgetSessions(): void;
  /** The number of an account, by now; null if there is no such account. */
  findNumber(id: DriverId): Promise<string | null>;
};

/** @throws {TypeError} if Cognito clients would reject the pool id */
export function createUserPool(deps: PoolDeps): UserPool {
  const pool = createPoolContext(deps);
  return {
    issuer: pool.issuer,
    handle: (request, requestId = crypto.randomUUID()) => handle(pool, request, requestId),
    publicKeys: () => publicKeySet(pool),
    idTokenKeys: () => verificationKeySet(pool, "id"),
    isTokenLive: async ({ originJti, userId, lifetimeSeconds }, isKnown = async () => false) =>
      lifetimeSeconds === pool.limits.tokenLifetimeSeconds &&
      ((await isKnown()) || isSessionLive(pool, { originJti, userId })),
    resealSecrets: (options) => resealAllSecrets(pool, options),
    maintainSigningKeys: () => maintainSigningKeys(pool),
    sweepUnconfirmed: () => {
      const now = pool.now();
      return sweepUnconfirmed(pool.db, { before: now - pool.limits.unconfirmedLifetimeMs, now });
    },
    endIdleSessions: () => revokeIdleSessions(pool.db, pool.now(), IDLE_BATCH_SIZE),
    exportAccount: (id) => loadPoolAccount(pool.db, id),
    isSessionLive: async (session) => (await findLiveSession(pool.db, session, pool.now())) !== null,
    findSession: (session) => findLiveSession(pool.db, session, pool.now()),
    listSessions: (userId) => listSessions(pool, userId),
    endSession: (session) => endSession(pool, session),
    endOtherSessions: (userId, keep) => endOtherSessions(pool, userId, keep),
    findUndo: (token) => findUndo(pool, token),
    undo: (change) => undo(pool, change),
    viewPasskeys: (caller) => viewPasskeys(pool, caller),
    offerPasskey: (caller, name) => offerPasskey(pool, caller, name),
    acceptPasskey: (caller, made) => acceptPasskey(pool, caller, made),
    loadPasskeyRemoval: (caller) => loadPasskeyRemoval(pool, caller),
    endPasskey: (caller, id, removal) => endPasskey(pool, caller, { id, removal }),
    namePasskey: (passkey) => namePasskey(pool, passkey),
    undoRecovery: (caller) => undoRecovery(pool, caller),
    forgetSessions: () => clearLivenessCache(),
    findNumber: async (id) => (await findPoolUser(pool.db, id))?.phoneNumber ?? null,
  };
}

async function handle(pool: PoolContext, request: Request, requestId: string): Promise<Response> {
  const operation = parseTarget(request);
  try {
    switch (request.method) {
      case "OPTIONS":
        return toPreflightResponse();
      case "GET":
        return toDocumentResponse(await loadDocument(pool, new URL(request.url).pathname), requestId);
      case "POST":
        if (pool.isAllowed && operation && !(await pool.isAllowed(request, operation))) {
          throw cognitoErrors.tooManyRequests();
        }
        return await runCall(pool, request, { operation, requestId });
      default:
        throw cognitoErrors.wrongMethod();
    }
  } catch (error) {
    if (error instanceof CognitoError) return toErrorResponse(error, requestId, pool.now());
    pool.log("error", "identity.call.failed", { operation, requestId, ...describeError(error) });
    return toErrorResponse(cognitoErrors.internal(), requestId, pool.now());
  }
}

async function runCall(
  pool: PoolContext,
  request: Request,
  { operation, requestId }: { operation: string | null; requestId: string },
): Promise<Response> {
  const caller: PoolContext = {
    ...pool,
    address: request.headers.get("cf-connecting-ip"),
    asn: typeof request.cf?.asn === "number" ? request.cf.asn : null,
    device: parseDevice(request.headers.get("user-agent"), request.cf?.country),
    browser: await readBrowser(pool, request),
  };
  const result = await runOperation(operation, () => parseBody(request), caller);
  return toHttpResponse(result, requestId, await browserCookie(caller));
}

async function loadDocument(pool: PoolContext, path: string): Promise<object> {
  if (path.endsWith(`/${pool.poolId}${JWKS_PATH}`)) return publicKeySet(pool);
  if (path.endsWith(`/${pool.poolId}${DISCOVERY_PATH}`)) {
    return {
      issuer: pool.issuer,
      jwks_uri: `${pool.issuer}${JWKS_PATH}`,
      response_types_supported: ["token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
  }
  throw cognitoErrors.notFound();
}
