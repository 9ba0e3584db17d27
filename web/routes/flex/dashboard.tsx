import { createFileRoute } from "@tanstack/react-router";
import { DashboardSkeleton } from "../../features/dashboard/dashboard-skeleton.tsx";
import { Dashboard } from "../../features/dashboard/dashboard.tsx";

// What it shows comes over the socket: there is nothing to load before it opens.
export const Route = createFileRoute("/flex/dashboard")({
  pendingComponent: DashboardSkeleton,
  component: Dashboard,
});
