import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { toast } from "../../ui/toast.ts";
import { userQuery } from "../../api/queries/user.ts";
import { citySpotsQuery, spotQuery } from "../../api/queries/spots.ts";
import { m } from "../../messages/messages.js";
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
      await announceSpot().catch(() => undefined);
    }
    /** Where the city has a limit. Who waits sees it on the next screen. */
    async function announceSpot() {
      const [{ spot }, { cities }] = await Promise.all([
        queryClient.fetchQuery(spotQuery),
        queryClient.fetchQuery(citySpotsQuery),
      ]);
      if (spot?.status === "held" && cities.some(({ city }) => city === spot.city))
        toast(m.spot_linked({ city: spot.city }));
    }
  }, [queryClient, history]);
  return null;
}
