import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import { openDb } from "../../db/client.ts";
import type { Env } from "../../durable/runtime/env.ts";
import type { Deps } from "../../durable/deps.ts";
import { formatMessage } from "../../locales/format-message.ts";
import { createUserPool, type UserPool } from "../identity/user-pool.ts";

/** What the pool needs of the runtime. */
export type PoolBindings = Pick<Env, "DB" | "IDENTITY_LIMIT" | "TEXT_LIMIT">;

/** The embedded user pool of this deployment; null where another pool signs drivers in. */
export function userPoolOf({ config, keys, now, sms, log }: Deps, env: PoolBindings): UserPool | null {
  const { kind, poolId, clientId } = config.identity;
  if (kind !== "embedded") return null;
  return createUserPool({
    db: openDb(env.DB),
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

/** Per address and operation, by the runtime's own counters; who has no address comes from inside. */
async function isWithinLimit(
  { IDENTITY_LIMIT, TEXT_LIMIT }: PoolBindings,
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

/** Public keys by issuer, kept for as long as the isolate lives and read again when a new one appears. */
const keySets = new Map<string, JWTVerifyGetKey>();

/** The keys that the deployment's tokens are verified with. */
export function keySetFor(deps: Deps, pool: UserPool | null): JWTVerifyGetKey {
  const { issuer } = deps.config.identity;
  const known = keySets.get(issuer);
  if (known) return known;
  const made = pool ? localKeySet(pool) : remoteKeySet(deps);
  keySets.set(issuer, made);
  return made;
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
  const read = async () => createLocalJWKSet(await pool.publicKeys());
  return async (header, token) => {
    current ??= await read();
    try {
      return await current(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      current = await read();
      return current(header, token);
    }
  };
}
