import { createFileRoute } from "@tanstack/react-router";
import { sessionStore } from "../../api/session.ts";
import { setupQuery } from "../../api/setup.ts";
import { LinkingFlow } from "../../features/linking/linking-flow.tsx";

export const Route = createFileRoute("/flex/login")({
  loader: ({ context: { queryClient } }) => {
    if (sessionStore.get()) void queryClient.prefetchQuery(setupQuery);
  },
  component: Login,
});

function Login() {
  return <LinkingFlow currentStep="credentials" />;
}
