import type { Context } from "hono";
import { forgetOwnGuesses, type GuessPolicy } from "../../../db/queries/identity/guesses.ts";
import { beginLinkTry, endLinkTry } from "../../../db/queries/work/link-leases.ts";
import type { LinkError, LinkResult } from "../../../db/shapes/work/linking.ts";
import { DAY_MS, MINUTE_MS, type DriverId, type EpochMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { afterResponse } from "../../http/request-scope.ts";

/** Five wrong tries, then one after a quarter of an hour, half an hour, an hour …, a day at most: some ten a day. */
export const LINK_POLICY: GuessPolicy = {
  free: 5,
  firstLockMs: 15 * MINUTE_MS,
  maxLockMs: DAY_MS,
  forgetOneMs: DAY_MS,
};

/** How long a linking holds its driver and account if it never lets go: the platform answers within less. */
const LEASE_MS = MINUTE_MS;

/** The platform's responses to a wrong try. Of any other failure it says nothing about the password or code. */
const WRONG: ReadonlySet<LinkError["code"]> = new Set([
  "link_credentials_wrong",
  "link_locked",
  "link_code_wrong",
  "link_denied",
]);

type LinkTry = {
  driverId: DriverId;
  /** Of the platform's account. */
  email: string;
  /** Whether the driver has linked this account before: then others' tries at it don't count. */
  isOwn: boolean;
  now: EpochMs;
};

/** The counters of a try: the driver, the platform's account whoever tries it, and this driver's at this account. */
async function subjectsOf({ keys }: Pick<Deps, "keys">, { driverId, email, isOwn }: LinkTry) {
  const account = await hashEmail(keys, email);
  return {
    driver: `link driver ${driverId}`,
    pair: `link ${driverId} ${account}`,
    account: isOwn ? null : `link account ${account}`,
  };
}

/** Keyed, since it outlives the driver's account: who registers anew has no more tries at it. */
async function hashEmail(keys: Deps["keys"], email: string): Promise<string> {
  const [bytes] = await keys.derive("codes", "linked accounts");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const text = new TextEncoder().encode(email.trim().toLowerCase());
  const hash = new Uint8Array(await crypto.subtle.sign("HMAC", key, text));
  return Array.from(hash.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Runs a step of linking that tries a password or a code at the platform. It counts before the platform is asked, so that
 * parallel tries can't outrun the limit, and is taken back after the response unless the platform calls it wrong. Where that
 * fails, the try stays counted and the lease ends by itself.
 * @throws {ApiError} `link_paused`, with the time until the next try, once too many were wrong; `rate_limited` while another
 * try of this driver or at this account is under way
 * @param run what completes a linking has the tries before it forgotten
 */
export async function tryToLink(
  c: Context<AppEnv>,
  attempt: LinkTry,
  run: () => Promise<LinkResult>,
): Promise<LinkResult> {
  const { db, keys } = c.var.deps;
  const { driverId, email, now } = attempt;
  const { driver, account, pair } = await subjectsOf(c.var.deps, attempt);
  const subjects = [driver, pair, ...(account === null ? [] : [account])];
  const limits = subjects.map((subject) => ({ subject, policy: LINK_POLICY }));
  const lease = {
    // One try at a time of a driver, and at an account of the platform: each makes a sign-in there.
    holder: crypto.randomUUID(),
    subjects: [`driver ${driverId}`, `account ${await hashEmail(keys, email)}`],
    until: now + LEASE_MS,
  };
  const count = await beginLinkTry(db, { lease, limits }, now);
  if (count === null) throw new ApiError("rate_limited", { retryAfter: 1 });
  let isCounted = true;
  let isLinked = false;
  try {
    if (count.kind === "locked") {
      await noteSecurity(c, "link_paused");
      throw new ApiError("link_paused", { retryAfter: Math.max(1, Math.ceil((count.until - now) / 1000)) });
    }
    const result = await run();
    isLinked = result.ok && result.linkedEmail !== undefined;
    isCounted = !result.ok && WRONG.has(result.error.code);
    if (isCounted) await noteSecurity(c, "link_failed");
    return result;
  } finally {
    const ended = { holder: lease.holder, uncounted: isCounted ? [] : subjects };
    await afterResponse(() => endSoon(c.var.deps, attempt, { ended, isLinked }));
  }
}

/** Never throws: the caller has the platform's answer. */
async function endSoon(
  deps: Pick<Deps, "db" | "keys" | "log">,
  attempt: LinkTry,
  { ended, isLinked }: { ended: Parameters<typeof endLinkTry>[1]; isLinked: boolean },
): Promise<void> {
  try {
    await endLinkTry(deps.db, ended);
    if (isLinked) await forgetLinkTries(deps, attempt);
  } catch (error) {
    deps.log("warn", "link.try.unended", { driverId: attempt.driverId, ...describeError(error) });
  }
}

/** The platform's account is linked: what this driver tried at it before was its owner's. */
export async function forgetLinkTries(deps: Pick<Deps, "db" | "keys">, attempt: LinkTry): Promise<void> {
  const { driver, pair, account } = await subjectsOf(deps, attempt);
  await forgetOwnGuesses(deps.db, { of: driver, own: pair, others: account === null ? [] : [account] });
}
