import { createFileRoute } from "@tanstack/react-router";
import { setupQuery } from "../../api/queries/setup.ts";
import { LinkingError, LinkingPending } from "../../features/linking/states.tsx";
import { LinkingFlow } from "../../features/linking/linking-flow.tsx";

export const Route = createFileRoute("/flex/confirmation")({
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(setupQuery);
  },
  pendingComponent: LinkingPending,
  errorComponent: LinkingError,
  component: Confirmation,
});

function Confirmation() {
  return <LinkingFlow currentStep="approval" />;
}
