import { createFileRoute, useLocation } from "@tanstack/react-router";
import { RenewalLinkScreen } from "../features/payments/renewal-link-screen.tsx";

export const Route = createFileRoute("/renewal")({ component: RenewalLink });

function RenewalLink() {
  const hash = useLocation({ select: (location) => location.hash });
  return <RenewalLinkScreen hash={hash} />;
}
