import { createMiddleware } from "hono/factory";
import { openDb } from "../../db/client.ts";
import type { AppEnv } from "./app-env.ts";
import { countStatement } from "./request-scope.ts";

const BOOKMARK_HEADER = "x-d1-bookmark";

/** A driver reads from the nearest replica and still sees what they wrote: the bookmark travels along. */
export const openDbSession = createMiddleware<AppEnv>(async (c, next) => {
  const session = c.env.DB.withSession(c.req.header(BOOKMARK_HEADER) ?? "first-primary");
  c.set("db", openDb(session, countStatement));
  await next();
  const bookmark = session.getBookmark();
  if (bookmark && c.res.status !== 101) c.header(BOOKMARK_HEADER, bookmark);
});
