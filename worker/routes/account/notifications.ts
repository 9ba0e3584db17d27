import { Hono } from "hono";
import { updateDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { isPushEndpoint } from "../../../durable/push/push-endpoint.ts";
import { isValidPushKeys } from "../../../durable/push/push.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  notificationPreferences,
  pushRemoval,
  pushSubscription,
  type NotificationPreferences,
} from "../../../db/shapes/notifications.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { callerObject, loadCallerRecord, syncCallerObject } from "../caller.ts";

/** The host of the sandbox's push service. */
const SANDBOX_PUSH_HOST = "push.sandbox.test";

/** Notification preferences, and the push subscriptions of browsers. */
export const notificationRoutes = new Hono<AppEnv>()
  .get("/notifications", async (c) => {
    const { row } = await loadCallerRecord(c);
    return c.json(
      (row.notifications ?? DEFAULT_NOTIFICATION_PREFERENCES) satisfies NotificationPreferences,
      200,
    );
  })
  .put("/notifications", validate("json", notificationPreferences), async (c) => {
    const given = c.req.valid("json");
    await loadCallerRecord(c);
    await updateDriver(c.var.db, c.var.caller.driverId, { notifications: given });
    await syncCallerObject(c);
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
    const owner = toDriverOwner(await loadCallerRecord(c));
    await callerObject(c).addPushSubscription(owner, { endpoint, keys });
    return c.body(null, 204);
  })
  .delete("/push", validate("json", pushRemoval), async (c) => {
    await loadCallerRecord(c);
    await callerObject(c).removePushSubscription(c.req.valid("json").endpoint);
    return c.body(null, 204);
  });
