import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { userQuery } from "../../api/queries.ts";
import { homePathFor } from "../session/home-path.ts";

/** Linked just now: what the page knows of the driver follows, and the ladder leads on. */
export function RedirectAfterLinking() {
  const queryClient = useQueryClient();
  const { history } = useRouter();
  useEffect(() => {
    void redirect();
    async function redirect() {
      const known = queryClient.getQueryData(userQuery.queryKey);
      // A copy of the database that is a moment behind must not lead back to here.
      const fresh = await queryClient.fetchQuery({ ...userQuery, staleTime: 0 }).catch(() => known);
      if (!fresh) return;
      const user = { ...fresh, proxyInstalled: true };
      queryClient.setQueryData(userQuery.queryKey, user);
      history.replace(homePathFor(user));
    }
  }, [queryClient, history]);
  return null;
}
