import { useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef } from "react";
import { connectLive, liveStore } from "../../api/live/live.ts";
import { userQuery } from "../../api/queries/user.ts";
import { invitationsQuery } from "../../api/queries/rewards.ts";

/** Keeps the screen current while it is open: free days that arrive change the end of service, which the object reports. */
export function useLiveService(): void {
  const queryClient = useQueryClient();
  useEffect(connectLive, []);
  const serviceUntil = useSelector(liveStore, ({ snapshot, isRestored }) =>
    isRestored ? undefined : snapshot?.serviceUntil,
  );
  const known = useRef(serviceUntil);
  useEffect(() => {
    const isNews = known.current !== undefined && known.current !== serviceUntil;
    known.current = serviceUntil;
    if (!isNews) return;
    void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: userQuery.queryKey });
  }, [queryClient, serviceUntil]);
}
