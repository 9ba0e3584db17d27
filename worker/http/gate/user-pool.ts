import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import * as z from "zod";
import { type EpochMs, driverId, type DurationMs, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import type { Env } from "../../../durable/runtime/env.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { findDriverLanguage } from "../../../db/queries/accounts/drivers.ts";
import { raiseAlert } from "../../../db/queries/fleet/alerts.ts";
import { errorName } from "../../../durable/runtime/describe-error.ts";
import { findPoolUser } from "../../../db/queries/identity/pool-users.ts";
import { networkOf } from "../../../durable/texts/networks.ts";
import { httpExchange } from "../../../durable/platform/http-exchange.ts";
import { noteFailures } from "../../../durable/runtime/call-failure.ts";
import { followAccountSoon } from "../../accounts/account-changes.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { createPhoneCodes, type PhoneCodes } from "../../identity/accounts/phone-codes.ts";
import type { PoolDeps } from "../../identity/pool-context.ts";
import { createUserPool, type UserPool } from "../../identity/user-pool.ts";
import { chooseLanguage } from "../../identity/accounts/code-texts.ts";
import { afterResponse } from "../request-scope.ts";
import { createIssuerKeys } from "../tokens/issuer-keys.ts";
import type { TokenKeys } from "../app-env.ts";

type CallLimits = Pick<Env, "IDENTITY_LIMIT">;
type PoolEnv = CallLimits & Pick<Env, "DRIVER">;

/** The embedded user pool of this deployment; null if another pool signs drivers in. */
export function openUserPool(deps: Deps, env: PoolEnv): UserPool | null {
  if (deps.config.identity.kind !== "embedded") return null;
  const account = createCheckoutContext({ deps, db: deps.db });
  return createUserPool({
    ...poolDepsOf(deps, env),
    onAccountChange: (id) => followAccountSoon(account, id),
  });
}

/** The codes that prove drivers' preferred numbers. */
export function openPhoneCodes(deps: Deps): PhoneCodes {
  return createPhoneCodes(poolDepsOf(deps, {}));
}

function poolDepsOf({ config, db, keys, now, send, texts, log, security }: Deps, env: CallLimits): PoolDeps {
  const { poolId, clientId } = config.identity;
  return {
    db,
    keys,
    now,
    log,
    security,
    poolId,
    clientId,
    publicUrl: config.publicUrl,
    productName: config.productName,
    texts,
    // An intruder can't keep the owner from hearing of a change by hanging up.
    afterwards: afterResponse,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isHuman: createHumanCheck({ config, db, now, send, log }),
    isAllowed: (request, operation) => isWithinLimit(env, request, operation),
    onGuessLock: (id) => warnOfGuesses({ db, texts, product: config.productName }, id),
    messages: {
      code: (language, code) =>
        codeText(language, { product: config.productName, code, publicUrl: config.publicUrl }),
    },
  };
}

/** Limits calls per network and operation, by the runtime's rate limiter; a call without an address is internal. */
async function isWithinLimit(
  { IDENTITY_LIMIT }: CallLimits,
  request: Request,
  operation: string,
): Promise<boolean> {
  const address = request.headers.get("cf-connecting-ip");
  if (!address || !IDENTITY_LIMIT) return true;
  return (await IDENTITY_LIMIT.limit({ key: `${networkOf(address)} ${operation}` })).success;
}

/** The public keys that verify the deployment's tokens. */
export function createTokenKeys(deps: Deps, pool: UserPool | null): TokenKeys {
  if (deps.config.isBroken("sign_in")) return brokenKeySet(deps);
  const { issuer } = deps.config.identity;
  return pool
    ? localKeySet(pool, deps.now)
    : createIssuerKeys(new URL(`${issuer}/.well-known/jwks.json`), deps);
}

/** No key: each call throws what is wrong with the settings. */
function brokenKeySet({ config }: Deps): JWTVerifyGetKey {
  return async () => {
    config.requirePart("sign_in");
    throw new errors.JWKSNoMatchingKey();
  };
}

/** How long a key counts that was revoked or retired: as long as a session that was revoked. */
const LOCAL_KEYS_TTL_MS = 30_000;

/** The pool's own keys for id tokens, without a request to ourselves. */
function localKeySet(pool: UserPool, now: () => EpochMs): TokenKeys {
  let current: { keys: JWTVerifyGetKey; loadedAt: EpochMs } | null = null;
  const load = async () => ({ keys: createLocalJWKSet(await pool.idTokenKeys()), loadedAt: now() });
  const isOld = () => current !== null && Math.abs(now() - current.loadedAt) > LOCAL_KEYS_TTL_MS;
  const keys: TokenKeys = async (header, token) => {
    if (!current || Math.abs(now() - current.loadedAt) > LOCAL_KEYS_TTL_MS) current = await load();
    try {
      return await current.keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      current = await load();
      return current.keys(header, token);
    }
  };
  keys.outdated = () => (isOld() && current ? current.keys : null);
  return keys;
}

/**
 * The text that brings a code, one segment long. Its last line names the page that may take the code over, in the form of
 * https://wicg.github.io/web-otp.
 */
export function codeText(
  language: Language,
  { product, code, publicUrl }: { product: string; code: string; publicUrl: string },
): string {
  return `${formatMessage(language, "text_code", { product, code })}\n@${new URL(publicUrl).hostname} #${code}`;
}

/** Tells the owner of an account that somebody guesses at it; of a name without an account nobody. */
export async function warnOfGuesses(
  { db, texts, product }: Pick<Deps, "db" | "texts"> & { product: string },
  sub: string,
): Promise<void> {
  const user = await findPoolUser(db, sub);
  if (!user?.phoneVerified) return;
  const language = await findDriverLanguage(db, driverId.parse(sub));
  const body = formatMessage(language ?? chooseLanguage(user.attributes["locale"]), "text_guesses", {
    product,
  });
  await texts.sendWarning({ to: user.phoneNumber, account: user.id, body });
}

const TIMEOUT_MS: DurationMs = 5_000;
/** The longest token that Turnstile makes. */
const MAX_TOKEN_LENGTH = 2048;
/** The purpose that the page's widget states. */
const ACTION = "register";

const verdict = z.object({
  success: z.boolean(),
  action: z.string().nullish(),
  "error-codes": z.array(z.string()).catch([]),
});

/** Nobody can register while the challenge can't be checked. The alert ends by itself so long after the last who couldn't. */
const ALERT = "registering.challenge";
const ALERT_LIFE_MS: DurationMs = 15 * MINUTE_MS;
/** A newcomer who gets no answer tries again, so that one lost call is no outage. */
const UNANSWERED_IN_A_ROW = 2;

/** Whether a token shows that a person solved the challenge before registering. */
type HumanCheck = (token: string | null, address: string | null) => Promise<boolean>;

/**
 * Verifies tokens of Cloudflare Turnstile; null if it isn't configured. A token works once, for five minutes. Without an
 * answer nobody is let through: an attacker could otherwise wait for an outage.
 */
export function createHumanCheck({
  config: { turnstile },
  db,
  now,
  send,
  log,
}: Pick<Deps, "config" | "db" | "now" | "send" | "log">): HumanCheck | null {
  if (!turnstile) return null;
  const { url, secretKey } = turnstile;
  const note = noteFailures("turnstile", log);
  let unanswered = 0;
  const fail = async (kind: string): Promise<false> => {
    log("error", "turnstile.failed", { kind });
    unanswered += 1;
    if (kind !== "secret" && unanswered < UNANSWERED_IN_A_ROW) return false;
    const at = now();
    try {
      await raiseAlert(db, { name: ALERT, reason: kind, since: at, until: at + ALERT_LIFE_MS });
    } catch (error) {
      log("warn", "turnstile.alert.failed", { error: errorName(error) });
    }
    return false;
  };
  return async (token, address) => {
    if (!token || token.length > MAX_TOKEN_LENGTH) return false;
    const form = { secret: secretKey, response: token, ...(address === null ? {} : { remoteip: address }) };
    const received = await httpExchange(
      {
        url: `${url}/turnstile/v0/siteverify`,
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
        body: new URLSearchParams(form).toString(),
      },
      { send, note, limitMs: TIMEOUT_MS },
    );
    const parsed = received.kind === "arrived" ? verdict.safeParse(parseJson(received.text)) : null;
    if (!parsed?.success) return fail(received.kind);
    unanswered = 0;
    const { success, action, "error-codes": codes } = parsed.data;
    // `missing-input-secret` or `invalid-input-secret`: the key is not the widget's.
    if (codes.some((code) => code.endsWith("-input-secret"))) return fail("secret");
    return success && (action ?? ACTION) === ACTION;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
