import { Hono } from "hono";
import { toDriverOwner, type DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { isPushEndpoint, isValidPushKeys } from "../../../durable/messaging/push.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
  notificationChange,
  notificationsQueryInput,
  preferencesFor,
  pushRemoval,
  pushSubscription,
  reminderChange,
  type NotificationPreferences,
  type ReminderPreferences,
} from "../../../db/shapes/notifications.ts";
import { notifyOwner } from "../../accounts/account-notices.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { requireFreshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { outliveCaller } from "../../http/request-scope.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { callerObject, loadCallerRecord, recordAhead, saveCaller } from "../caller.ts";
import { makeInSession, sessionsAhead } from "./object-session.ts";

/** The host of the sandbox's push service. */
const SANDBOX_PUSH_HOST = "push.sandbox.test";

/** The texts without which somebody else could act for a driver unseen. */
const WATCHED = ["captured", "needs_you"] as const;

/** Notification preferences, and the push subscriptions of browsers. */
export const notificationRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/notifications", validate("query", notificationsQueryInput), async (c) => {
    const saved = notificationsOf(await loadCallerRecord(c));
    return c.json(
      preferencesFor(saved, { knowsQuestions: c.req.valid("query").questions !== undefined }),
      200,
    );
  })
  .put(
    "/notifications",
    validate("query", notificationsQueryInput),
    validate("json", notificationChange),
    async (c) => {
      const change = c.req.valid("json");
      const record = await loadCallerRecord(c);
      const before = notificationsOf(record);
      const saved = notificationsOf(await saveCaller(c, { notifications: change }));
      if (WATCHED.some((event) => before[event].text && change[event]?.text === false))
        await outliveCaller(notifyOwner(c.var.deps, record, "text_texts_off"));
      // A page of the last release doesn't say that it knows questions; it sends them.
      const knowsQuestions = c.req.valid("query").questions !== undefined || change.question !== undefined;
      return c.json(preferencesFor(saved, { knowsQuestions }), 200);
    },
  )
  .get("/reminders", async (c) => c.json(remindersOf(await loadCallerRecord(c)), 200))
  .put("/reminders", validate("json", reminderChange), async (c) =>
    c.json(remindersOf(await saveCaller(c, { reminders: c.req.valid("json") })), 200),
  )
  .put("/push", sessionsAhead, validate("json", pushSubscription), async (c) => {
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
    const { isNewSession } = await makeInSession(c, async (session) => {
      await object.addPushSubscription(toDriverOwner(record), { endpoint, keys }, session);
      return endpoint;
    });
    if (isNew) {
      await noteSecurity(c, "push_added");
      if (isNewSession) await outliveCaller(notifyOwner(c.var.deps, record, "text_push_added"));
    }
    return c.body(null, 204);
  })
  .delete("/push", validate("json", pushRemoval), async (c) => {
    await loadCallerRecord(c);
    await callerObject(c).removePushSubscription(c.req.valid("json").endpoint);
    return c.body(null, 204);
  });

function notificationsOf({ row }: DriverRecord): NotificationPreferences {
  return row.notifications ?? DEFAULT_NOTIFICATION_PREFERENCES;
}

function remindersOf({ row }: DriverRecord): ReminderPreferences {
  return row.reminders ?? DEFAULT_REMINDER_PREFERENCES;
}
