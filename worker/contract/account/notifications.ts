import * as z from "zod/mini";
import {
  notificationChange,
  notificationPreferences,
  notificationsQueryInput,
  pushRemoval,
  pushSubscription,
  reminderChange,
  reminderPreferences,
} from "../../../db/shapes/notifications.ts";
import { textDelivery } from "../../../db/shapes/text-delivery.ts";
import type { ApiRoute } from "../api-route.ts";

/** The driver's notifications, and their channels. */
export const NOTIFICATION_ROUTES = {
  "GET /flex/v1/user/notifications": {
    summary: "The driver's notifications, and their channels.",
    auth: "bearer",
    query: notificationsQueryInput,
    responses: { 200: notificationPreferences },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user/notifications": {
    summary: "Changes what the driver is notified of, and how. What is left out stays as it is.",
    auth: "bearer",
    query: notificationsQueryInput,
    body: notificationChange,
    responses: { 200: notificationPreferences },
    errors: ["not_found"],
  },
  "GET /flex/v1/user/reminders": {
    summary: "The driver's reminders, and their channels.",
    auth: "bearer",
    responses: { 200: reminderPreferences },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user/reminders": {
    summary: "Changes what the driver is reminded of, and how. What is left out stays as it is.",
    auth: "bearer",
    body: reminderChange,
    responses: { 200: reminderPreferences },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user/push": {
    summary:
      "Adds a browser that takes push messages until the sign-in ends. A new one needs a sign-in of the last minutes.",
    auth: "bearer",
    body: pushSubscription,
    responses: { 204: null },
    errors: ["not_found", "sign_in_again"],
  },
  "DELETE /flex/v1/user/push": {
    summary: "Removes a browser that took push messages.",
    auth: "bearer",
    body: pushRemoval,
    responses: { 204: null },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;

/** GET /flex/v1/user/texts: whether texts reach the driver. */
export const textsResponse = z.object({
  /** Where they go. */
  phoneNumber: z.string(),
  delivery: textDelivery,
  /** The number that texts come from, for START; null if they come from several. */
  sender: z.nullable(z.string()),
  /** How many a day, before one text sums up the rest. */
  dailyLimit: z.int(),
});
export type TextsResponse = z.infer<typeof textsResponse>;

/** Whether texts reach the driver. */
export const TEXT_ROUTES = {
  "GET /flex/v1/user/texts": {
    summary: "Whether texts reach the driver, and what to do where they don't.",
    auth: "bearer",
    responses: { 200: textsResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/user/texts/test": {
    summary: "Texts the driver's number, also where it is paused. One that the gateway takes ends the pause.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found", "rate_limited", "text_not_sent", "texts_stopped"],
  },
} as const satisfies Record<string, ApiRoute>;
