import { createFileRoute, redirect } from "@tanstack/react-router";
import { requireCurrentDriver } from "../../features/session/driver-guard.ts";
import { homePathFor } from "../../features/session/home-path.ts";

/** Decides where a driver lands after signing in. It renders nothing. */
export const Route = createFileRoute("/flex/")({
  loader: async ({ context: { queryClient }, location }) => {
    const user = await requireCurrentDriver(queryClient, location.href);
    throw redirect({ to: homePathFor(user), replace: true });
  },
});
