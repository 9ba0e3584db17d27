import { useSelector } from "@tanstack/react-store";
import { useOnline } from "../ui/use-online.ts";
import { liveStore } from "./live.ts";
import type { LiveState } from "./live-state.ts";

/**
 * What the dashboard shows. An earlier visit's knowledge is shown only where nothing newer can be had:
 * with a connection, that is a moment away.
 */
export function useShownSnapshot(): LiveState["snapshot"] {
  const isOnline = useOnline();
  return useSelector(liveStore, ({ snapshot, isOld, line }) =>
    isOld && isOnline && line !== "waiting" ? null : snapshot,
  );
}

/** From when what is shown is, where it may have changed since; null where the line is open. */
export function useCutSince(): number | null {
  const isOnline = useOnline();
  return useSelector(liveStore, ({ heardAt, isOld, stale, line }) =>
    !isOnline || isOld || stale || line === "waiting" ? heardAt : null,
  );
}
