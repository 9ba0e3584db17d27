import { Hono } from "hono";
import { changeDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { isPushEndpoint, isValidPushKeys } from "../../../durable/messaging/push.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
  notificationsQueryInput,
  preferencesFor,
  pushRemoval,
  pushSubscription,
  changedReminders,
  reminderChange,
  sentNotificationPreferences,
  type ReminderPreferences,
} from "../../../db/shapes/notifications.ts";
import { notifyOwner } from "../../accounts/owner-notices.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { requireFreshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { outliveCaller } from "../../http/request-scope.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { callerObject, loadCallerRecord, syncObject, recordAhead } from "../caller.ts";
import { makeInSession, sessionsAhead } from "./object-session.ts";

/** The host of the sandbox's push service. */
const SANDBOX_PUSH_HOST = "push.sandbox.test";

/** The texts without which somebody else could act for a driver unseen. */
const WATCHED = ["captured", "needs_you"] as const;

/** Notification preferences, and the push subscriptions of browsers. */
export const notificationRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/notifications", validate("query", notificationsQueryInput), async (c) => {
    const { row } = await loadCallerRecord(c);
    const saved = row.notifications ?? DEFAULT_NOTIFICATION_PREFERENCES;
    return c.json(
      preferencesFor(saved, { knowsQuestions: c.req.valid("query").questions !== undefined }),
      200,
    );
  })
  .put("/notifications", validate("json", sentNotificationPreferences), async (c) => {
    const input = c.req.valid("json");
    const record = await loadCallerRecord(c);
    const before = record.row.notifications ?? DEFAULT_NOTIFICATION_PREFERENCES;
    const given = { ...input, question: input.question ?? before.question };
    const saved = await changeDriver(c.var.db, c.var.caller.driverId, { notifications: given });
    if (saved) await syncObject(c, saved);
    if (WATCHED.some((event) => before[event].text && !given[event].text))
      await outliveCaller(notifyOwner(c.var.deps, record, "text_texts_off"));
    return c.json(preferencesFor(given, { knowsQuestions: input.question !== undefined }), 200);
  })
  .get("/reminders", async (c) => {
    const { row } = await loadCallerRecord(c);
    return c.json((row.reminders ?? DEFAULT_REMINDER_PREFERENCES) satisfies ReminderPreferences, 200);
  })
  .put("/reminders", validate("json", reminderChange), async (c) => {
    const { row } = await loadCallerRecord(c);
    const before = row.reminders ?? DEFAULT_REMINDER_PREFERENCES;
    const reminders = changedReminders(before, c.req.valid("json"));
    const saved = await changeDriver(c.var.db, c.var.caller.driverId, { reminders });
    if (saved) await syncObject(c, saved);
    return c.json(reminders satisfies ReminderPreferences, 200);
  })
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
