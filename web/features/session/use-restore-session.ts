import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef } from "react";
import { configQuery } from "../../api/queries/user.ts";
import { restoreSession, sessionStore, syncAcrossTabs } from "../../api/session/session.ts";
import { resetChat } from "../chat/chat-page.ts";
import { clearDriverQueries, clearFailedQueries } from "./clear-queries.ts";
import { serverNow } from "../../early/server-clock.ts";

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
