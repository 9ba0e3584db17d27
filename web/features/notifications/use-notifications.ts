import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import type { NotificationPreferences } from "../../../db/shapes/notifications.ts";
import { notificationsQuery, putNotifications } from "../../api/queries/notifications.ts";
import { m } from "../../messages/messages.js";
import { errorMessage } from "../language/error-messages.ts";

const { queryKey } = notificationsQuery;
const MUTATION_KEY = ["notifications"];

/** The notification settings. A change shows at once and is rolled back if it can't be saved. */
export function useNotifications() {
  const queryClient = useQueryClient();
  const settings = useSuspenseQuery(notificationsQuery).data;
  const { mutate } = useMutation({
    mutationKey: MUTATION_KEY,
    // One at a time: each sends all settings, and the last must win.
    scope: { id: "notifications" },
    // Offline it fails at once, rather than being saved some day.
    networkMode: "always",
    mutationFn: ({ after }: { before: NotificationPreferences; after: NotificationPreferences }) =>
      putNotifications(after),
    onError: (error, { before }) => {
      queryClient.setQueryData(queryKey, before);
      toast.error(m.notify_not_saved(), { description: errorMessage(error) });
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: MUTATION_KEY }) === 1)
        void queryClient.invalidateQueries({ queryKey });
    },
  });
  const change = (part: Partial<NotificationPreferences>) => {
    const before = queryClient.getQueryData(queryKey);
    if (!before) return;
    void queryClient.cancelQueries({ queryKey });
    const after = { ...before, ...part };
    queryClient.setQueryData(queryKey, after);
    mutate({ before, after });
  };
  return { settings, change };
}
