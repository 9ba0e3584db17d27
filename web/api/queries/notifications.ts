import { queryOptions } from "@tanstack/react-query";
import {
  notificationPreferences,
  reminderPreferences,
  type NotificationPreferences,
  type ReminderChange,
  type ReminderPreferences,
} from "../../../db/shapes/notifications.ts";
import { api } from "../client/client.ts";
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

/** PUT /flex/v1/user/notifications. */
export async function putNotifications(settings: NotificationPreferences): Promise<NotificationPreferences> {
  return parseResponse(
    notificationPreferences,
    await api.flex.v1.user.notifications.$put({ json: settings }),
  );
}

/** PUT /flex/v1/user/reminders: those that changed. */
export async function putReminders(change: ReminderChange): Promise<ReminderPreferences> {
  return parseResponse(reminderPreferences, await api.flex.v1.user.reminders.$put({ json: change }));
}

/** POST /flex/v1/user/texts/test. */
export async function sendTestText(): Promise<void> {
  await requireOk(await api.flex.v1.user.texts.test.$post());
}
