import { createFileRoute } from "@tanstack/react-router";
import { notificationsQuery } from "../../api/queries.ts";
import { ProfilePending } from "../../features/profile/profile-skeleton.tsx";
import { ProfileScreen } from "../../features/profile/profile-screen.tsx";

export const Route = createFileRoute("/flex/profile")({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(notificationsQuery);
  },
  pendingComponent: ProfilePending,
  component: ProfileScreen,
});
