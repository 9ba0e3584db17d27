import * as z from "zod/mini";
import { language, texts } from "./language.ts";
import { epochMs } from "./units.ts";

/** The audience of an announcement. A city is the platform's name of a region, as in the lines for spots. */
export const audience = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("city"), city: z.string() }),
  z.object({ kind: z.literal("language"), language }),
]);
export type Audience = z.infer<typeof audience>;
export const audienceKind = z.enum(["all", "city", "language"]);

/** An announcement as a driver gets it, who is among those whom it is for. */
export const announcement = z.object({ id: z.string(), text: texts, endsAt: epochMs });
export type Announcement = z.infer<typeof announcement>;

/** The results of an announcement's pushes to a driver's browsers; `pending`: they are still tried. */
export type AnnouncementPushes = { sent: number; failed: number; pending: number };

/** The tag of an announcement's push, by which the object counts it. */
export const ANNOUNCEMENT_TAG = "announcement:";

/** Whether a driver is among those whom an announcement is for. */
export function isInAudience(of: Audience, driver: { language: string; city: string | null }): boolean {
  switch (of.kind) {
    case "all":
      return true;
    case "city":
      return driver.city === of.city;
    case "language":
      return driver.language === of.language;
  }
}
