import { Hono } from "hono";
import { loadDriverAnnouncements } from "../../db/queries/texts/announcements.ts";
import type { AnnouncementsResponse } from "../contract/announcements.ts";
import type { AppEnv } from "../http/app-env.ts";

/** Operators' announcements to the caller now. */
export const announcementRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { caller, db, deps } = c.var;
  const announcements = await loadDriverAnnouncements(db, caller.driverId, deps.now());
  return c.json({ announcements } satisfies AnnouncementsResponse, 200);
});
