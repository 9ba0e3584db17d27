import { queryOptions } from "@tanstack/react-query";
import {
  notificationPreferences,
  reminderPreferences,
  type NotificationChange,
  type NotificationPreferences,
  type ReminderChange,
  type ReminderPreferences,
} from "../../../db/shapes/notifications.ts";
import { api } from "../client/client.ts";
import { errorCodeOf } from "../client/request-error.ts";
import { parseResponse, requireOk } from "../client/request.ts";
import { textsResponse } from "../../../worker/contract/account/notifications.ts";

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: async () =>
    parseResponse(
      notificationPreferences,
      await api.flex.v1.user.notifications.$get({ query: { questions: "1" } }),
    ),
});

export const remindersQuery = queryOptions({
  queryKey: ["reminders"],
  queryFn: async () => parseResponse(reminderPreferences, await api.flex.v1.user.reminders.$get()),
});

/** Whether texts reach the driver. */
export const textsQuery = queryOptions({
  queryKey: ["texts"],
  queryFn: async () => parseResponse(textsResponse, await api.flex.v1.user.texts.$get()),
  // Reports on a text come minutes after it.
  staleTime: 10_000,
});

/** Settings that changed, and all of them with the change. */
type Changed<Change, Settings> = { sent: Change; all: Settings };

/** PUT /flex/v1/user/notifications: those that changed. */
export function putNotifications(
  changed: Changed<NotificationChange, NotificationPreferences>,
): Promise<NotificationPreferences> {
  return putChange(changed, async (json) =>
    parseResponse(
      notificationPreferences,
      await api.flex.v1.user.notifications.$put({ json, query: { questions: "1" } }),
    ),
  );
}

/** PUT /flex/v1/user/reminders: those that changed. */
export function putReminders(
  changed: Changed<ReminderChange, ReminderPreferences>,
): Promise<ReminderPreferences> {
  return putChange(changed, async (json) =>
    parseResponse(reminderPreferences, await api.flex.v1.user.reminders.$put({ json })),
  );
}

/** Sends what changed; to a server of the last release, which doesn't take as little, all. */
async function putChange<Change, Settings extends Change>(
  { sent, all }: Changed<Change, Settings>,
  put: (change: Change) => Promise<Settings>,
): Promise<Settings> {
  try {
    return await put(sent);
  } catch (error) {
    if (errorCodeOf(error) !== "invalid_request") throw error;
    return put(all);
  }
}

/** POST /flex/v1/user/texts/test. */
export async function sendTestText(): Promise<void> {
  await requireOk(await api.flex.v1.user.texts.test.$post());
}
