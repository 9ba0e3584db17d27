import * as z from "zod/mini";
import type { ApiRoute } from "./api-route.ts";

/** GET /flex/v1/feedback. */
export const feedbackResponse = z.object({ isDue: z.boolean() });
export type FeedbackResponse = z.infer<typeof feedbackResponse>;

export const MAX_COMMENT_LENGTH = 1000;

/** POST /flex/v1/feedback: a score from 1 to 10 with a comment that may be left out, or null where it is skipped. */
export const feedbackInput = z.object({
  score: z.nullable(z.int().check(z.minimum(1), z.maximum(10))),
  comment: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(MAX_COMMENT_LENGTH)))),
});
export type FeedbackInput = z.infer<typeof feedbackInput>;

/** Drivers' feedback. */
export const FEEDBACK_ROUTES = {
  "GET /flex/v1/feedback": {
    summary: "Whether the driver is to be asked now what they think.",
    auth: "bearer",
    responses: { 200: feedbackResponse },
    errors: [],
  },
  "POST /flex/v1/feedback": {
    summary: "What the driver thinks, or that they skipped the question.",
    auth: "bearer",
    body: feedbackInput,
    responses: { 204: null },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
