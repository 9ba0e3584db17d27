import { useQuery } from "@tanstack/react-query";
import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { userQuery } from "../../api/queries.ts";
import { landingFor } from "../../features/session/landing-for.ts";

export const Route = createFileRoute("/flex/")({ component: Redirect });

/** Decides where a driver who has just signed in lands; empty while that is not known. */
function Redirect() {
  const { data } = useQuery(userQuery);
  const { history } = useRouter();
  useEffect(() => {
    if (data) history.replace(landingFor(data));
  }, [data, history]);
  return null;
}
