import { Hono } from "hono";
import { listSecurityEvents, type SecurityCursor } from "../../../db/queries/accounts/security-events.ts";
import { securityEventName } from "../../../db/shapes/security.ts";
import { securityQueryInput, type SecurityResponse } from "../../contract/account/security.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { validate } from "../../http/validate.ts";

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
