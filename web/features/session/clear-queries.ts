import type { QueryClient } from "@tanstack/react-query";
import { configQuery, statusQuery } from "../../api/queries/user.ts";

const SHARED_QUERY_KEYS: readonly unknown[] = [configQuery.queryKey[0], statusQuery.queryKey[0]];

/** The page may have fetched a screen's data before the sign-in, and must not stand there as failed after it. */
export function clearFailedQueries(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ state }) => state.status === "error", type: "inactive" });
}

/** Data still on the screen is fetched again for the current driver. */
export function clearDriverQueries(queryClient: QueryClient): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    !SHARED_QUERY_KEYS.includes(queryKey[0]);
  queryClient.removeQueries({ predicate, type: "inactive" });
  void queryClient.resetQueries({ predicate, type: "active" });
}
