import * as z from "zod/mini";
import { announcement } from "../../db/shapes/announcement.ts";
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

/** GET /flex/v1/user/chat: the driver's identity for the support chat, in the words of Chatwoot's SDK. */
export const chatResponse = z.object({
  identifier: z.string(),
  /** HMAC-SHA256 of the identifier, so that nobody else can be this driver in the chat. */
  identifierHash: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phoneNumber: z.string(),
  attributes: z.object({
    good_standing: z.boolean(),
    /** `yyyy-MM-dd` in the driver's time zone; null if no service was ever bought. */
    expiration_date: z.nullable(z.string()),
    human_region: z.nullable(z.string()),
    account_connected: z.boolean(),
  }),
  label: z.string(),
});
export type ChatResponse = z.infer<typeof chatResponse>;

/** The support chat. */
export const CHAT_ROUTES = {
  "GET /flex/v1/user/chat": {
    summary: "Who the driver is in the support chat. There is no such thing where it isn't offered to them.",
    auth: "bearer",
    responses: { 200: chatResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;
