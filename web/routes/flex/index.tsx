import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useAuthState } from "../../features/session/auth-state.ts";
import { landingFor } from "../../features/session/landing-for.ts";

export const Route = createFileRoute("/flex/")({ component: Redirect });

/** Decides where a driver who has just signed in lands; empty while that is not known. */
function Redirect() {
  const { user } = useAuthState();
  const { history } = useRouter();
  useEffect(() => {
    if (user) history.replace(landingFor(user));
  }, [user, history]);
  return null;
}
