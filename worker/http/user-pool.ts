import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import type { Deps } from "../../durable/deps.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { formatMessage } from "../../locales/format-message.ts";
import { createUserPool, type UserPool } from "../identity/user-pool.ts";

type PoolLimits = Pick<Env, "IDENTITY_LIMIT" | "TEXT_LIMIT">;

/** The embedded user pool of this deployment; null if another pool signs drivers in. */
export function openUserPool({ config, db, keys, now, sms, log }: Deps, env: PoolLimits): UserPool | null {
  const { kind, poolId, clientId } = config.identity;
  if (kind !== "embedded") return null;
  return createUserPool({
    db,
    keys,
    now,
    log,
    poolId,
    clientId,
    publicUrl: config.publicUrl,
    sendText: async (text) => sms?.sendText(text),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isAllowed: (request, operation) => isWithinLimit(env, request, operation),
    messages: {
      code: (language, code) => formatMessage(language, "text_code", { product: config.productName, code }),
    },
  });
}

const TEXT_OPERATIONS: readonly string[] = [
  "SignUp",
  "ResendConfirmationCode",
  "ForgotPassword",
  "GetUserAttributeVerificationCode",
];

/** Limits calls per IP address and operation, by the runtime's rate limiter; a call without an address is internal. */
async function isWithinLimit(
  { IDENTITY_LIMIT, TEXT_LIMIT }: PoolLimits,
  request: Request,
  operation: string,
): Promise<boolean> {
  const address = request.headers.get("cf-connecting-ip");
  const limit = TEXT_OPERATIONS.includes(operation) ? TEXT_LIMIT : IDENTITY_LIMIT;
  if (!address || !limit) return true;
  return (await limit.limit({ key: `${address} ${operation}` })).success;
}

const KEY_FETCH_COOLDOWN_MS = 30_000;
const KEY_CACHE_MS = 600_000;

/** The public keys that verify the deployment's tokens; fetched on first use, and again when an unknown key id appears. */
export function createTokenKeys(deps: Deps, pool: UserPool | null): JWTVerifyGetKey {
  return pool ? localKeySet(pool) : remoteKeySet(deps);
}

function remoteKeySet({ config, send }: Deps): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(`${config.identity.issuer}/.well-known/jwks.json`), {
    [customFetch]: (url, { method, headers }) => send(new Request(url, { method, headers })),
    cooldownDuration: KEY_FETCH_COOLDOWN_MS,
    cacheMaxAge: KEY_CACHE_MS,
  });
}

/** The pool's own keys, without a request to ourselves. */
function localKeySet(pool: UserPool): JWTVerifyGetKey {
  let current: JWTVerifyGetKey | null = null;
  const load = async () => createLocalJWKSet(await pool.publicKeys());
  return async (header, token) => {
    current ??= await load();
    try {
      return await current(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      current = await load();
      return current(header, token);
    }
  };
}
