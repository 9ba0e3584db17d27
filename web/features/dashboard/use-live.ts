import { useSelector } from "@tanstack/react-store";
import { useOnline } from "../../ui/use-online.ts";
import { liveStore } from "../../api/live.ts";
import type { LiveState } from "../../api/live-state.ts";

/**
 * What the dashboard shows. An earlier visit's knowledge is shown only where nothing newer can be had:
 * with a connection, that is a moment away.
 */
export function useVisibleSnapshot(): LiveState["snapshot"] {
  const isOnline = useOnline();
  return useSelector(liveStore, ({ snapshot, isRestored, connection }) =>
    isRestored && isOnline && connection !== "waiting" ? null : snapshot,
  );
}

/** From when what is shown is, where it may have changed since; null where the line is open. */
export function useStaleSince(): number | null {
  const isOnline = useOnline();
  return useSelector(liveStore, ({ lastMessageAt, isRestored, isStale, connection }) =>
    !isOnline || isRestored || isStale || connection === "waiting" ? lastMessageAt : null,
  );
}
