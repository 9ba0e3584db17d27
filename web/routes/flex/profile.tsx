import { createFileRoute } from "@tanstack/react-router";
import { notificationsQuery } from "../../api/queries/notifications.ts";
import { ProfilePending } from "../../features/profile/states.tsx";
import { ProfileScreen } from "../../features/profile/profile-screen.tsx";

// The guard loads the record that the screen needs. The notification settings load and fail on their own.
export const Route = createFileRoute("/flex/profile")({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(notificationsQuery);
  },
  pendingComponent: ProfilePending,
  component: ProfileScreen,
});
