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

/** PUT /flex/v1/user/notifications: those that changed. A server of the last release takes only all of them. */
export async function putNotifications({
  part,
  all,
}: {
  part: NotificationChange;
  all: NotificationPreferences;
}): Promise<NotificationPreferences> {
  const put = async (json: NotificationChange) =>
    parseResponse(
      notificationPreferences,
      await api.flex.v1.user.notifications.$put({ json, query: { questions: "1" } }),
    );
  try {
    return await put(part);
  } catch (error) {
    if (errorCodeOf(error) !== "invalid_request") throw error;
    return put(all);
  }
}

/** PUT /flex/v1/user/reminders: those that changed. */
export async function putReminders(change: ReminderChange): Promise<ReminderPreferences> {
  return parseResponse(reminderPreferences, await api.flex.v1.user.reminders.$put({ json: change }));
}

/** POST /flex/v1/user/texts/test. */
export async function sendTestText(): Promise<void> {
  await requireOk(await api.flex.v1.user.texts.test.$post());
}
