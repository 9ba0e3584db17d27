import * as z from "zod/mini";
import { announcement } from "../../db/shapes/announcement.ts";
import type { ApiRoute } from "./api-route.ts";

/** GET /flex/v1/announcements: what the driver is to read now, the latest first. */
export const announcementsResponse = z.object({ announcements: z.array(announcement) });
export type AnnouncementsResponse = z.infer<typeof announcementsResponse>;

/** Operators' announcements to drivers. */
export const ANNOUNCEMENT_ROUTES = {
  "GET /flex/v1/announcements": {
    summary: "What operators tell the driver now, in three languages.",
    auth: "bearer",
    responses: { 200: announcementsResponse },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
