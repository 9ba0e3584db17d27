import type { JSONWebKeySet } from "jose";
import { deletePoolUser, loadPoolAccount, type PoolAccount } from "../../db/queries/identity.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { createPoolContext, type PoolContext, type PoolDeps } from "./pool-context.ts";
import { CognitoError, cognitoErrors } from "./protocol/errors.ts";
import { clearLivenessCache, isSessionLive } from "./tokens/liveness.ts";
import { runOperation } from "./protocol/operations.ts";
import { publicKeySet } from "./tokens/signing-keys.ts";
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

/** The embedded user pool: a Cognito user pool over D1, for unmodified Cognito clients. */
export type UserPool = {
  issuer: string;
  /**
   * Answers a call of the protocol, a preflight, the key set and the discovery document. Never throws.
   * @param requestId what the answer and its log lines are found by; one is made where none is given
   */
  handle(request: Request, requestId?: string): Promise<Response>;
  /** The keys that tokens are verified with. */
  publicKeys(): Promise<JSONWebKeySet>;
  /**
   * Whether the sign-in that a token's `origin_jti` names still stands: neither revoked nor over, and its account still
   * there. A yes is remembered for 30 s per isolate.
   */
  isSessionLive(originJti: string): Promise<boolean>;
  /** What is kept of an account, without what is secret; null where there is none. */
  exportAccount(id: DriverId): Promise<PoolAccount | null>;
  /** Leaves nothing of an account; its tokens are refused from now on. Of none, it leaves nothing too. */
  deleteAccount(id: DriverId): Promise<void>;
};

/**
 * Opens the pool.
 * @throws {TypeError} where clients would refuse the pool id
 */
export function createUserPool(deps: PoolDeps): UserPool {
  const pool = createPoolContext(deps);
  return {
    issuer: pool.issuer,
    handle: (request, requestId = crypto.randomUUID()) => handle(pool, request, requestId),
    publicKeys: () => publicKeySet(pool),
    isSessionLive: (originJti) => isSessionLive(pool, originJti),
    exportAccount: (id) => loadPoolAccount(pool.db, id),
    deleteAccount: async (id) => {
      await deletePoolUser(pool.db, id);
      clearLivenessCache();
    },
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
        return toHttpResponse(await runOperation(operation, () => parseBody(request), pool), requestId);
      default:
        throw cognitoErrors.wrongMethod();
    }
  } catch (error) {
    if (error instanceof CognitoError) return toErrorResponse(error, requestId);
    pool.log?.("error", "identity.call.failed", { operation, requestId, ...describeError(error) });
    return toErrorResponse(cognitoErrors.internal(), requestId);
  }
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
