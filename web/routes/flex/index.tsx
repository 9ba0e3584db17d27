import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useAuthState } from "../../features/session/auth-state.ts";
import { homePathFor } from "../../features/session/home-path.ts";

export const Route = createFileRoute("/flex/")({ component: Redirect });

/** Decides where a driver who has just signed in lands; empty while that is not known. */
function Redirect() {
  const { user } = useAuthState();
  const { history } = useRouter();
  useEffect(() => {
    if (user) history.replace(homePathFor(user));
  }, [user, history]);
  return null;
}
