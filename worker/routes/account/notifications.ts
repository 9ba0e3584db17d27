import { Hono, type Context } from "hono";
import { changeDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { isPushEndpoint } from "../../../durable/push/push-endpoint.ts";
import { isValidPushKeys } from "../../../durable/push/push.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  notificationPreferences,
  pushRemoval,
  pushSubscription,
  type NotificationPreferences,
} from "../../../db/shapes/notifications.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { PushSession } from "../../../durable/runtime/driver-rpc.ts";
import { notifyOwner } from "../../accounts/owner-notices.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { requireFreshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { outliveCaller } from "../../http/request-scope.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { callerObject, loadCallerRecord, syncObject, recordAhead } from "../caller.ts";

/** The host of the sandbox's push service. */
const SANDBOX_PUSH_HOST = "push.sandbox.test";

/** The texts without which somebody else could act for a driver unseen. */
const WATCHED = ["captured", "needs_you"] as const;

/** A session counts as new for a day. */
const NEW_FOR_MS = DAY_MS;

/** Notification preferences, and the push subscriptions of browsers. */
export const notificationRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/notifications", async (c) => {
    const { row } = await loadCallerRecord(c);
    return c.json(
      (row.notifications ?? DEFAULT_NOTIFICATION_PREFERENCES) satisfies NotificationPreferences,
      200,
    );
  })
  .put("/notifications", validate("json", notificationPreferences), async (c) => {
    const given = c.req.valid("json");
    const record = await loadCallerRecord(c);
    const saved = await changeDriver(c.var.db, c.var.caller.driverId, { notifications: given });
    if (saved) await syncObject(c, saved);
    const before = record.row.notifications ?? DEFAULT_NOTIFICATION_PREFERENCES;
    if (WATCHED.some((event) => before[event].text && !given[event].text))
      await outliveCaller(notifyOwner(c.var.deps, record, "text_texts_off"));
    return c.json(given satisfies NotificationPreferences, 200);
  })
  .put("/push", validate("json", pushSubscription), async (c) => {
    const { endpoint, keys } = c.req.valid("json");
    const { config } = c.var.deps;
    if (!config.vapid) throw new ApiError("not_found");
    const moreHosts = c.env.SANDBOX ? [...config.pushHosts, SANDBOX_PUSH_HOST] : config.pushHosts;
    if (!isPushEndpoint(endpoint, moreHosts))
      throw new ApiError("invalid_request", { fields: { endpoint: "invalid" } });
    if (!(await isValidPushKeys(keys)))
      throw new ApiError("invalid_request", { fields: { keys: "invalid" } });
    const record = await loadCallerRecord(c);
    const object = callerObject(c);
    const isNew = !(await object.hasPushSubscription(endpoint));
    if (isNew) requireFreshSignIn(c);
    const session = await loadPushSession(c);
    await object.addPushSubscription(toDriverOwner(record), { endpoint, keys }, session);
    // One that ended before this arrived has taken its subscriptions with it already.
    await loadPushSession(c);
    if (isNew) {
      await noteSecurity(c, "push_added");
      if (await isNewSession(c, session))
        await outliveCaller(notifyOwner(c.var.deps, record, "text_push_added"));
    }
    return c.body(null, 204);
  })
  .delete("/push", validate("json", pushRemoval), async (c) => {
    await loadCallerRecord(c);
    await callerObject(c).removePushSubscription(c.req.valid("json").endpoint);
    return c.body(null, 204);
  });

/** The session that a subscription ends with. @throws {ApiError} `unauthenticated` if it has ended by now */
async function loadPushSession(c: Context<AppEnv>): Promise<PushSession> {
  const { userPool, caller } = c.var;
  if (!userPool || caller.sessionId === null) return null;
  const session = await userPool.findSession({ originJti: caller.sessionId, userId: caller.driverId });
  if (session) return { id: caller.sessionId, expiresAt: session.expiresAt };
  await callerObject(c).keepSessions((await userPool.listSessions(caller.driverId)).map(({ id }) => id));
  throw new ApiError("unauthenticated");
}

/** Whether the driver has been signed in elsewhere for longer: then it may be somebody else who has signed in here. */
async function isNewSession(c: Context<AppEnv>, session: PushSession): Promise<boolean> {
  const { userPool, caller, deps } = c.var;
  if (!userPool || session === null) return false;
  const all = await userPool.listSessions(caller.driverId);
  const own = all.find(({ id }) => id === session.id);
  return all.length > 1 && own !== undefined && deps.now() - own.signedInAt < NEW_FOR_MS;
}
