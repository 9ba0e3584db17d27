import { useSelector } from "@tanstack/react-store";
import { useOnline } from "../../ui/use-online.ts";
import { liveStore } from "../../api/live/live.ts";
import { isCurrent, type LiveState } from "../../api/live/live-state.ts";

/**
 * The snapshot to show. One restored from an earlier visit is shown only while offline or disconnected: with a
 * connection, a fresh one is a moment away.
 */
export function useVisibleSnapshot(): LiveState["snapshot"] {
  const isOnline = useOnline();
  return useSelector(liveStore, ({ snapshot, isRestored, connection }) =>
    isRestored && isOnline && connection !== "waiting" ? null : snapshot,
  );
}

/** When the shown snapshot is from, if it may be out of date; null while the connection is open. */
export function useStaleSince(): number | null {
  const isOnline = useOnline();
  return useSelector(liveStore, (live) => (isOnline && isCurrent(live) ? null : live.lastMessageAt));
}
