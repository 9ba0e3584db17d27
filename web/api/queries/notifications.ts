import { queryOptions } from "@tanstack/react-query";
import { notificationPreferences, type NotificationPreferences } from "../../../db/shapes/notifications.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: async () => parseResponse(notificationPreferences, await api.flex.v1.user.notifications.$get()),
});

/** PUT /flex/v1/user/notifications. */
export async function putNotifications(settings: NotificationPreferences): Promise<NotificationPreferences> {
  return parseResponse(
    notificationPreferences,
    await api.flex.v1.user.notifications.$put({ json: settings }),
  );
}
