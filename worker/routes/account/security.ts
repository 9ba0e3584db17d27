import { Hono, type Context } from "hono";
import { listSecurityEvents, type SecurityCursor } from "../../../db/queries/accounts/security-events.ts";
import { securityEventName } from "../../../db/shapes/security.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import {
  securityQueryInput,
  type SecurityResponse,
  sessionParams,
  type SessionsResponse,
  type UndoResponse,
} from "../../contract/account/security.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { validate } from "../../http/validate.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { opens, type Opening } from "../../http/gate/gate.ts";
import { callerObject } from "../caller.ts";

const PAGE_SIZE = 20;

/** The driver's own part of the security log. */
export const securityRoutes = new Hono<AppEnv>().get(
  "/",
  validate("query", securityQueryInput),
  async (c) => {
    const after = parseCursor(c.req.valid("query").cursor);
    const rows = await listSecurityEvents(c.var.db, c.var.caller.driverId, { after, limit: PAGE_SIZE + 1 });
    const shown = rows.slice(0, PAGE_SIZE);
    const last = shown.at(-1);
    const items = shown.map(({ id, event, times, firstAt, lastAt, browser, system, country }) => ({
      id,
      event: securityEventName.parse(event),
      times,
      firstAt,
      lastAt,
      browser,
      system,
      country,
    }));
    const cursor = rows.length > PAGE_SIZE && last ? `${last.lastAt}.${last.id}` : null;
    return c.json({ items, cursor } satisfies SecurityResponse, 200);
  },
);

function parseCursor(cursor: string | undefined): SecurityCursor | null {
  if (cursor === undefined) return null;
  const [lastAt, id] = cursor.split(".").map(Number);
  return { lastAt: lastAt ?? 0, id: id ?? 0 };
}

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

/** `Authorization: Undo`: the owner of an account, by the link in a text that told of a change. */
export const byUndoToken: Opening = async (c) => {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "undo" || !token) throw new ApiError("unauthenticated");
  const change = (await c.var.userPool?.findUndo(token)) ?? null;
  if (!change) throw new ApiError("undo_expired");
  c.set("undo", change);
  return { driverId: change.userId, phoneNumber: null, sessionId: null, signedInAt: null };
};

const SHOWN_DIGITS = 4;

/** The effect of the link in a text about a changed account. */
export const undoRoutes = new Hono<AppEnv>()
  .get("/", opens(byUndoToken), (c) => {
    const { kind, changedAt, expiresAt, phoneNumber, language } = c.var.undo;
    if (kind === "deleted") throw new ApiError("undo_expired");
    const phoneEnd = phoneNumber.slice(-SHOWN_DIGITS);
    const shown = kind === "recovery" ? "password" : kind;
    return c.json({ kind: shown, changedAt, expiresAt, phoneEnd, language } satisfies UndoResponse, 200);
  })
  .post("/", opens(byUndoToken), async (c) => {
    const result = await c.var.userPool?.undo(c.var.undo);
    if (result === "taken") throw new ApiError("conflict");
    if (result !== "undone") throw new ApiError("undo_expired");
    await noteSecurity(c, "change_undone", { account: c.var.undo.userId });
    return c.body(null, 204);
  });
