import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { userQuery } from "../../api/queries.ts";
import { homePathFor } from "../session/home-path.ts";
import { useUser } from "../session/use-user.ts";

/** What to call once the filters are saved: the first time it takes the driver to the next step, later it does nothing. */
export function useLeadOn(): () => void {
  const queryClient = useQueryClient();
  const { history } = useRouter();
  const isFirst = !useUser().setupComplete;
  return () => {
    if (isFirst) void leadOn();
  };

  async function leadOn() {
    const known = queryClient.getQueryData(userQuery.queryKey);
    // A database replica may lag behind, which would lead back here.
    const fresh = await queryClient.fetchQuery({ ...userQuery, staleTime: 0 }).catch(() => known);
    if (!fresh) return;
    const user = { ...fresh, setupComplete: true };
    queryClient.setQueryData(userQuery.queryKey, user);
    history.push(homePathFor(user));
  }
}
