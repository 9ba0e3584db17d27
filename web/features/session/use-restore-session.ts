import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef } from "react";
import { configQuery, statusQuery } from "../../api/queries.ts";
import { syncAcrossTabs, sessionStore, restoreSession } from "../../api/session.ts";

/**
 * Looks for a stored session as soon as it is known under which name it is kept, follows it in other tabs, and
 * forgets what belonged to whoever is gone.
 */
export function useRestoreSession(): void {
  const identity = useQuery(configQuery).data?.identity;
  const username = useSelector(sessionStore, (session) => session?.username);
  const queryClient = useQueryClient();
  const previousUsername = useRef(username);
  useEffect(() => {
    if (!identity) return undefined;
    if (sessionStore.get() === undefined) restoreSession(identity, Date.now());
    return syncAcrossTabs(identity);
  }, [identity]);
  useEffect(() => {
    const previous = previousUsername.current;
    previousUsername.current = username;
    if (previous !== undefined && previous !== username) clearDriverQueries(queryClient);
  }, [username, queryClient]);
}

const SHARED_QUERY_KEYS: readonly unknown[] = [configQuery.queryKey[0], statusQuery.queryKey[0]];

/** What is still on a screen is asked for anew, in the name of whoever is there now. */
function clearDriverQueries(queryClient: QueryClient): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    !SHARED_QUERY_KEYS.includes(queryKey[0]);
  queryClient.removeQueries({ predicate, type: "inactive" });
  void queryClient.resetQueries({ predicate, type: "active" });
}
