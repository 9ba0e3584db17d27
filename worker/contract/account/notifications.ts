import {
  notificationPreferences,
  notificationsQueryInput,
  pushRemoval,
  pushSubscription,
  reminderChange,
  reminderPreferences,
  sentNotificationPreferences,
} from "../../../db/shapes/notifications.ts";
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
    summary: "Replaces what the driver is notified of, and how.",
    auth: "bearer",
    body: sentNotificationPreferences,
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
