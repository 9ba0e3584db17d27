import { createMiddleware } from "hono/factory";
import { openDb } from "../../db/client.ts";
import type { AppEnv } from "./app-env.ts";
import { countStatement } from "./request-scope.ts";

const BOOKMARK_HEADER = "x-d1-bookmark";

/**
 * Opens a D1 session with the caller's bookmark, so that drivers read from the nearest replica and still see their own writes.
 * A caller who has written nothing yet is content with any replica, unless the call writes.
 */
export const openDbSession = createMiddleware<AppEnv>(async (c, next) => {
  const isRead = c.req.method === "GET";
  const start = c.req.header(BOOKMARK_HEADER) ?? (isRead ? "first-unconstrained" : "first-primary");
  const session = c.env.DB.withSession(start);
  c.set("db", openDb(session, countStatement));
  await next();
  const bookmark = session.getBookmark();
  if (bookmark && c.res.status !== 101) c.header(BOOKMARK_HEADER, bookmark);
});
