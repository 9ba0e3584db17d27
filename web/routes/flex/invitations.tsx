import { createFileRoute } from "@tanstack/react-router";
import { invitationsQuery } from "../../api/queries/rewards.ts";
import { InvitationsError, InvitationsPending } from "../../features/invitations/states.tsx";
import { InvitationsScreen } from "../../features/invitations/invitations-screen.tsx";

export const Route = createFileRoute("/flex/invitations")({
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(invitationsQuery);
  },
  pendingComponent: InvitationsPending,
  errorComponent: InvitationsError,
  component: InvitationsScreen,
});
