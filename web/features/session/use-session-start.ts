import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef } from "react";
import { resetLive } from "../../api/live.ts";
import { configQuery, statusQuery } from "../../api/queries.ts";
import { followOtherTabs, sessionStore, startSession } from "../../api/session.ts";

/**
 * Looks for a stored session as soon as it is known under which name it is kept, follows it in other tabs, and
 * forgets what belonged to whoever is gone.
 */
export function useSessionStart(): void {
  const identity = useQuery(configQuery).data?.identity;
  const username = useSelector(sessionStore, (session) => session?.username);
  const queryClient = useQueryClient();
  const before = useRef(username);
  useEffect(() => {
    if (!identity) return undefined;
    if (sessionStore.get() === undefined) startSession(identity, Date.now());
    return followOtherTabs(identity);
  }, [identity]);
  useEffect(() => {
    const gone = before.current;
    before.current = username;
    if (gone !== undefined && gone !== username) forgetDriver(queryClient);
  }, [username, queryClient]);
}

const EVERYBODYS: readonly unknown[] = [configQuery.queryKey[0], statusQuery.queryKey[0]];

/** What is still on a screen is asked for anew, in the name of whoever is there now. */
function forgetDriver(queryClient: QueryClient): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => !EVERYBODYS.includes(queryKey[0]);
  resetLive();
  queryClient.removeQueries({ predicate, type: "inactive" });
  void queryClient.resetQueries({ predicate, type: "active" });
}
