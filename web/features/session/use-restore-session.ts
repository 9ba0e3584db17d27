import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef } from "react";
import { configQuery, statusQuery } from "../../api/queries/user.ts";
import { restoreSession, sessionStore, syncAcrossTabs } from "../../api/session/session.ts";
import { resetChat } from "../chat/chat-page.ts";
import { serverNow } from "../../early/server-clock.ts";

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

/**
 * Restores the stored session once the config names the user pool, keeps it in sync with other tabs, and clears
 * the queries of a driver who is gone, and those that failed because nobody was signed in.
 */
export function useRestoreSession(): void {
  const identity = useQuery(configQuery).data?.identity;
  const username = useSelector(sessionStore, (session) => session?.username);
  const queryClient = useQueryClient();
  const previousUsername = useRef(username);
  useEffect(() => {
    if (!identity) return undefined;
    // A session that ended while no page was open left its chat behind.
    if (sessionStore.get() === undefined && !restoreSession(identity, serverNow())) resetChat();
    return syncAcrossTabs(identity);
  }, [identity]);
  useEffect(() => {
    const previous = previousUsername.current;
    previousUsername.current = username;
    if (previous === username) return;
    if (previous === undefined) clearFailedQueries(queryClient);
    else clearDriverQueries(queryClient);
  }, [username, queryClient]);
}
