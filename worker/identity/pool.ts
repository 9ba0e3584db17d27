import type { JSONWebKeySet } from "jose";
import { deletePoolUser, describePoolUser, type PoolAccount } from "../../db/queries/identity.ts";
import type { DriverId } from "../../durable/engine/units.ts";
import { errorName } from "../../durable/log.ts";
import { openPool, type Pool, type PoolDeps } from "./context.ts";
import { Fault, faults } from "./faults.ts";
import { forgetLiveness, isLive } from "./liveness.ts";
import { callOperation } from "./operations.ts";
import { publicKeySet } from "./signing-keys.ts";
import {
  answerOf,
  answerOfDocument,
  answerOfFault,
  answerOfPreflight,
  readBody,
  readTarget,
} from "./wire.ts";

const JWKS_PATH = "/.well-known/jwks.json";
const DISCOVERY_PATH = "/.well-known/openid-configuration";

/** The embedded user pool: a Cognito user pool over D1, for unmodified Cognito clients. */
export type IdentityPool = {
  issuer: string;
  /** Answers a call of the protocol, a preflight, the key set and the discovery document. Never throws. */
  handle(request: Request): Promise<Response>;
  /** The keys that tokens are verified with. */
  publicKeys(): Promise<JSONWebKeySet>;
  /**
   * Whether the sign-in that a token's `origin_jti` names still stands: neither revoked nor over, and its account still
   * there. A yes is remembered for 30 s per isolate.
   */
  verifySession(originJti: string): Promise<boolean>;
  /** What is kept of an account, without what is secret; null where there is none. */
  describeAccount(id: DriverId): Promise<PoolAccount | null>;
  /** Leaves nothing of an account; its tokens are refused from now on. Of none, it leaves nothing too. */
  deleteAccount(id: DriverId): Promise<void>;
};

/**
 * Opens the pool.
 * @throws {TypeError} where clients would refuse the pool id
 */
export function createPool(deps: PoolDeps): IdentityPool {
  const pool = openPool(deps);
  return {
    issuer: pool.issuer,
    handle: (request) => handle(pool, request),
    publicKeys: () => publicKeySet(pool),
    verifySession: (originJti) => isLive(pool, originJti),
    describeAccount: (id) => describePoolUser(pool.db, id),
    deleteAccount: async (id) => {
      await deletePoolUser(pool.db, id);
      forgetLiveness();
    },
  };
}

async function handle(pool: Pool, request: Request): Promise<Response> {
  const requestId = crypto.randomUUID();
  const operation = readTarget(request);
  try {
    switch (request.method) {
      case "OPTIONS":
        return answerOfPreflight();
      case "GET":
        return answerOfDocument(await readDocument(pool, new URL(request.url).pathname), requestId);
      case "POST":
        if (pool.admits && operation && !(await pool.admits(request, operation))) {
          throw faults.tooManyRequests();
        }
        return answerOf(await callOperation(operation, () => readBody(request), pool), requestId);
      default:
        throw faults.wrongMethod();
    }
  } catch (error) {
    if (error instanceof Fault) return answerOfFault(error, requestId);
    pool.log?.("error", "identity.call.failed", { operation, requestId, error: errorName(error) });
    return answerOfFault(faults.internal(), requestId);
  }
}

async function readDocument(pool: Pool, path: string): Promise<object> {
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
  throw faults.notFound();
}
