import type { Context } from "hono";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { PushSession } from "../../../durable/runtime/driver-rpc.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { readsAhead } from "../../http/gate/read-ahead.ts";
import { callerObject } from "../caller.ts";

/** A session counts as new for a day. */
const NEW_FOR_MS = DAY_MS;

/** For routes that make something which ends with the caller's session. */
export const sessionsAhead = readsAhead((c, driverId) => {
  const sessions = c.var.userPool?.listSessions(driverId) ?? null;
  // The handler hears of a failure.
  sessions?.catch(() => {});
  c.set("sessionsAhead", sessions);
});

/**
 * Makes something in the driver's object that ends with the caller's session: a push subscription, a calendar address.
 * @returns what was made, and whether the driver has been signed in elsewhere for longer: then it may be somebody else who
 * has signed in here
 * @throws {ApiError} `unauthenticated` if the session has ended by now
 */
export async function makeInSession<Made>(
  c: Context<AppEnv>,
  make: (session: PushSession) => Promise<Made>,
): Promise<{ made: Made; isNewSession: boolean }> {
  const { userPool, caller, deps } = c.var;
  const { driverId, sessionId } = caller;
  if (!userPool || sessionId === null) return { made: await make(null), isNewSession: false };
  const known = await (c.get("sessionsAhead") ?? userPool.listSessions(driverId));
  const own = known.find(({ id }) => id === sessionId);
  const made = own ? [await make({ id: sessionId, expiresAt: own.expiresAt })] : [];
  // A session that ended before the object knew of this has taken what it made with it already.
  const live = await userPool.listSessions(driverId);
  const [result] = made;
  if (!own || result === undefined || !live.some(({ id }) => id === sessionId)) {
    await callerObject(c).keepSessions(live.map(({ id }) => id));
    throw new ApiError("unauthenticated");
  }
  return { made: result, isNewSession: live.length > 1 && deps.now() - own.signedInAt < NEW_FOR_MS };
}
