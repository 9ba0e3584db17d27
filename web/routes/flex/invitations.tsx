import { createFileRoute } from "@tanstack/react-router";
import { invitationsQuery } from "../../api/queries/rewards.ts";
import { InvitationsError } from "../../features/invitations/invitations-error.tsx";
import { InvitationsScreen } from "../../features/invitations/invitations-screen.tsx";
import { InvitationsPending } from "../../features/invitations/invitations-skeleton.tsx";

export const Route = createFileRoute("/flex/invitations")({
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(invitationsQuery);
  },
  pendingComponent: InvitationsPending,
  errorComponent: InvitationsError,
  component: InvitationsScreen,
});
