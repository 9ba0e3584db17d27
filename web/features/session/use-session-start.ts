import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { configQuery } from "../../api/queries.ts";
import { sessionStore, startSession } from "../../api/session.ts";

/** Looks for a stored session as soon as it is known under which name it is kept. */
export function useSessionStart(): void {
  const identity = useQuery(configQuery).data?.identity;
  useEffect(() => {
    if (identity && sessionStore.get() === undefined) startSession(identity, Date.now());
  }, [identity]);
}
