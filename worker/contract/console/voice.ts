import * as z from "zod/mini";
import { audience } from "../../../db/shapes/announcement.ts";
import { texts } from "../../../db/shapes/language.ts";
import { driverId, epochMs } from "../../../db/shapes/units.ts";

const count = z.int().check(z.nonnegative());

/** GET /ops/v1/feedback: scores by week, and a page of comments, the latest first. */
export const feedbackQueryInput = z.object({
  cursor: z.optional(z.string().check(z.regex(/^\d{1,16}\.[\w-]{1,64}$/))),
});
export const operatorFeedback = z.object({
  weeks: z.array(
    z.object({
      /** The week's Monday, at midnight UTC. */
      at: epochMs,
      answers: count,
      skipped: count,
      /** Null where nobody gave a score. */
      average: z.nullable(z.number()),
      /** Percent of 9 and 10 minus percent of 1 to 6. */
      net: z.nullable(z.int()),
    }),
  ),
  comments: z.array(
    z.object({
      id: z.string(),
      at: epochMs,
      score: z.nullable(z.int()),
      comment: z.string(),
      driverId,
      name: z.nullable(z.string()),
      /** Masked but for its end, whoever asks. */
      phone: z.nullable(z.string()),
    }),
  ),
  cursor: z.nullable(z.string()),
});
export type OperatorFeedback = z.infer<typeof operatorFeedback>;

/** GET /ops/v1/errors: errors of pages, the latest report first. */
export const errorsResponse = z.object({
  errors: z.array(
    z.object({
      id: z.string(),
      caller: z.string(),
      name: z.string(),
      message: z.nullable(z.string()),
      place: z.nullable(z.string()),
      reports: count,
      drivers: count,
      firstSeenAt: epochMs,
      lastSeenAt: epochMs,
      requestId: z.string(),
      stack: z.nullable(z.string()),
      versions: z.array(z.object({ version: z.string(), reports: count })),
      /** `back`: resolved, and reported again since. */
      status: z.enum(["open", "back", "resolved"]),
    }),
  ),
  /** Whether there are more than these. */
  hasMore: z._default(z.boolean(), false),
});
export type ErrorsResponse = z.infer<typeof errorsResponse>;

/** GET /ops/v1/announcements: those of the last while, of now, and of the time to come. */
export const operatorAnnouncements = z.object({
  announcements: z.array(
    z.object({
      id: z.string(),
      text: texts,
      audience: z.nullable(audience),
      startsAt: epochMs,
      endsAt: epochMs,
      /** How many drivers' systems got it so far, and whether that is all. */
      told: count,
      isTold: z.boolean(),
      /** The results of the pushes to their browsers so far. */
      pushes: z.object({ sent: count, failed: count, pending: count }),
    }),
  ),
  /** Whether there are more than these. */
  hasMore: z._default(z.boolean(), false),
  /** The cities that an announcement can be for. */
  cities: z.array(z.string()),
});
export type OperatorAnnouncements = z.infer<typeof operatorAnnouncements>;
