import { createFileRoute } from "@tanstack/react-router";
import { DashboardSkeleton } from "../../features/dashboard/dashboard-skeleton.tsx";
import { Dashboard } from "../../features/dashboard/dashboard.tsx";

// No loader: its data comes over the socket.
export const Route = createFileRoute("/flex/dashboard")({
  pendingComponent: DashboardSkeleton,
  component: Dashboard,
});
