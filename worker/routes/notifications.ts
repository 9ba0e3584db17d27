import { Hono } from "hono";
import { changeDriver } from "../../db/queries/drivers.ts";
import { identityOf } from "../../durable/driver/stored.ts";
import { isPushEndpoint } from "../../durable/push/endpoint.ts";
import { isPushKeys } from "../../durable/push/push.ts";
import {
  DEFAULT_NOTIFICATIONS,
  notificationSettings,
  pushRemoval,
  pushSubscription,
  type NotificationSettings,
} from "../contract/notifications.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { validated } from "../http/validated.ts";
import { callersObject, callersRecord, tellObject } from "./driver.ts";

/** The host under which the sandbox plays a push service. */
const SANDBOX_PUSH_HOST = "push.sandbox.test";

/** What the driver hears of and by which ways, and the browsers that listen for them. */
export const notifications = new Hono<App>()
  .get("/notifications", async (c) => {
    const { row } = await callersRecord(c);
    return c.json((row.notifications ?? DEFAULT_NOTIFICATIONS) satisfies NotificationSettings, 200);
  })
  .put("/notifications", validated("json", notificationSettings), async (c) => {
    const given = c.req.valid("json");
    await callersRecord(c);
    await changeDriver(c.var.db, c.var.caller.driverId, { notifications: given });
    await tellObject(c);
    return c.json(given satisfies NotificationSettings, 200);
  })
  .put("/push", validated("json", pushSubscription), async (c) => {
    const { endpoint, keys } = c.req.valid("json");
    const { config } = c.var.deps;
    if (!config.vapid) throw new Failure("not_found");
    const standIn = c.env.SANDBOX ? SANDBOX_PUSH_HOST : null;
    if (!isPushEndpoint(endpoint, { own: config.publicUrl, standIn }))
      throw new Failure("invalid_request", { fields: { endpoint: "invalid" } });
    if (!(await isPushKeys(keys))) throw new Failure("invalid_request", { fields: { keys: "invalid" } });
    const owner = identityOf(await callersRecord(c));
    await callersObject(c).addBrowser(owner, { endpoint, keys });
    return c.body(null, 204);
  })
  .delete("/push", validated("json", pushRemoval), async (c) => {
    await callersRecord(c);
    await callersObject(c).removeBrowser(c.req.valid("json").endpoint);
    return c.body(null, 204);
  });
