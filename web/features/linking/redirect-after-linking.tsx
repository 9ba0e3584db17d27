import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { userQuery } from "../../api/queries.ts";
import { homePathFor } from "../session/home-path.ts";

/** After linking: refreshes the record, then goes to the driver's next step. */
export function RedirectAfterLinking() {
  const queryClient = useQueryClient();
  const { history } = useRouter();
  useEffect(() => {
    void redirect();
    async function redirect() {
      const known = queryClient.getQueryData(userQuery.queryKey);
      // A database replica may lag behind, which would lead back here.
      const fresh = await queryClient.fetchQuery({ ...userQuery, staleTime: 0 }).catch(() => known);
      if (!fresh) return;
      const user = { ...fresh, proxyInstalled: true };
      queryClient.setQueryData(userQuery.queryKey, user);
      history.replace(homePathFor(user));
    }
  }, [queryClient, history]);
  return null;
}
