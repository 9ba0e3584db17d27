import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { areFiltersComplete } from "../../../db/shapes/work/filter-completeness.ts";
import { filtersQuery } from "../../api/queries/filters.ts";
import { userQuery } from "../../api/queries/user.ts";
import { sessionStore } from "../../api/session/session.ts";
import { homePathFor } from "../session/home-path.ts";
import { useUser } from "../session/use-user.ts";
import { startStepOf } from "./start-step.ts";
import { isStartingHere } from "./use-start-step.ts";

/**
 * The callback for saved filters: if that was the driver's step and it is done, it takes them to the next one, else it
 * does nothing.
 */
export function useLeadOn(): () => void {
  const queryClient = useQueryClient();
  const { history } = useRouter();
  const isStarting = isStartingHere(sessionStore.get()?.username);
  const isTheStep = startStepOf(useUser(), { isStarting }) === "warehouses";
  return () => {
    const saved = queryClient.getQueryData(filtersQuery.queryKey);
    if (isTheStep && saved && areFiltersComplete(saved.filters, null)) void leadOn();
  };

  async function leadOn() {
    const { pathname } = history.location;
    const known = queryClient.getQueryData(userQuery.queryKey);
    // A database replica may lag behind, which would lead back here.
    const fresh = await queryClient.fetchQuery({ ...userQuery, staleTime: 0 }).catch(() => known);
    if (!fresh) return;
    const user = { ...fresh, setupComplete: true };
    queryClient.setQueryData(userQuery.queryKey, user);
    // A driver may have left meanwhile.
    if (history.location.pathname === pathname) history.push(homePathFor(user));
  }
}
