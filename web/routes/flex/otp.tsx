import { createFileRoute } from "@tanstack/react-router";
import { sessionStore } from "../../api/session.ts";
import { setupQuery } from "../../api/setup.ts";
import { LinkingFlow } from "../../features/linking/linking-flow.tsx";

export const Route = createFileRoute("/flex/otp")({
  loader: ({ context: { queryClient } }) => {
    if (sessionStore.get()) void queryClient.prefetchQuery(setupQuery);
  },
  component: Otp,
});

function Otp() {
  return <LinkingFlow currentStep="otp" />;
}
