import { createFileRoute, redirect } from "@tanstack/react-router";

/** The link of the texts: the same again, which is the ordinary form where there is no saved card. */
export const Route = createFileRoute("/flex/payments/again")({
  beforeLoad: () => {
    throw redirect({ to: "/flex/payments", replace: true });
  },
});
