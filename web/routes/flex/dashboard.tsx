import { createFileRoute } from "@tanstack/react-router";
import { earningsQuery } from "../../api/queries/user.ts";
import { DashboardSkeleton } from "../../features/dashboard/states.tsx";
import { Dashboard } from "../../features/dashboard/dashboard.tsx";

// The guard loads what it needs of the server; the rest comes over the socket. The earnings have their own place.
export const Route = createFileRoute("/flex/dashboard")({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(earningsQuery);
  },
  pendingComponent: DashboardSkeleton,
  component: Dashboard,
});
