import { Hono, type Context } from "hono";
import { sessionParams, type SessionsResponse } from "../../contract/account/sessions.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { validate } from "../../http/validate.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import { callerObject } from "../caller.ts";

/** The driver's sign-ins at our own pool, on all devices. */
export const sessionRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const { pool, userId, current } = requirePool(c);
    const [all, kept] = await Promise.all([pool.listSessions(userId), loadKept(c)]);
    const sessions = all
      .map(({ id, browser, system, country, signedInAt, lastSeenAt }) => ({
        id,
        browser,
        system,
        country,
        signedInAt,
        lastSeenAt,
        isCurrent: id === current,
        ...(kept && { takesPush: kept.pushes.includes(id), hasCalendar: kept.calendarSession === id }),
      }))
      .toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
    return c.json({ sessions } satisfies SessionsResponse, 200);
  })
  .delete("/", async (c) => {
    const { pool, userId, current } = requirePool(c);
    await pool.endOtherSessions(userId, current);
    await noteSecurity(c, "signed_out_everywhere");
    return c.body(null, 204);
  })
  .delete("/:id", validate("param", sessionParams), async (c) => {
    const { pool, userId } = requirePool(c);
    if (!(await pool.endSession({ originJti: c.req.valid("param").id, userId })))
      throw new ApiError("not_found");
    await noteSecurity(c, "signed_out");
    return c.body(null, 204);
  });

/** The sessions that the driver's object sends pushes for, and that of the calendar address; null if it doesn't answer. */
async function loadKept(c: Context<AppEnv>) {
  try {
    const object = callerObject(c);
    const [pushes, calendar] = await Promise.all([object.pushSessions(), object.calendar()]);
    const calendarSession = calendar?.pausedAt === null ? (calendar.session?.id ?? null) : null;
    return { pushes, calendarSession };
  } catch (error) {
    const { caller, deps } = c.var;
    deps.log("warn", "driver.push.unknown", { driverId: caller.driverId, ...describeError(error) });
    return null;
  }
}

/** @throws {ApiError} `not_found` if another pool signs drivers in, whose sessions we don't know */
function requirePool(c: Context<AppEnv>) {
  const { userPool: pool, caller } = c.var;
  if (!pool || caller.sessionId === null) throw new ApiError("not_found");
  return { pool, userId: caller.driverId, current: caller.sessionId };
}
