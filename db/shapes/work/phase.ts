import * as z from "zod/mini";
import { localDate } from "./local-date.ts";
import { epochMs } from "../units.ts";

/** The system's activity for the driver, as the dashboard shows it. `other`: one that only a later release knows. */
export const phase = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("off") }),
  z.object({ kind: z.literal("asleep"), until: z.nullable(epochMs) }),
  z.object({ kind: z.literal("polling") }),
  z.object({ kind: z.literal("throttled"), until: epochMs }),
  /** The platform's quota allows the next poll only then. */
  z.object({ kind: z.literal("quota_used_up"), until: epochMs }),
  /** The platform gives the driver no more blocks of this week. `until` is when we ask again. */
  z.object({ kind: z.literal("weekly_limit"), until: epochMs }),
  /**
   * The driver's own limits let nothing be taken that starts before a day: from `until` on its offers can come. Null where no
   * block ever has room. The date is the warehouse's own.
   */
  z.object({
    kind: z.literal("limit_reached"),
    limit: z.enum(["day", "week", "goal"]),
    until: z.nullable(epochMs),
    day: z.nullable(localDate),
  }),
  z.object({ kind: z.literal("unreachable"), retryAt: epochMs }),
  /** The platform answers, but most of what it lists can't be read. */
  z.object({ kind: z.literal("unreadable"), since: epochMs }),
  /**
   * The driver's own blocks can't be read. Offers are taken all the same, unless each accept must know them
   * (`isCapturing`).
   */
  z.object({ kind: z.literal("blocks_unreadable"), since: epochMs, isCapturing: z.boolean() }),
  z.object({ kind: z.literal("needs_link") }),
  z.object({ kind: z.literal("verification_required"), url: z.nullable(z.string()) }),
  z.object({ kind: z.literal("no_service"), waitingForSpot: z.boolean() }),
  z.object({ kind: z.literal("other") }),
]);

export type Phase = z.infer<typeof phase>;
