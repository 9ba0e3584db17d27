import { useSelector } from "@tanstack/react-store";
import { useOnline } from "../../ui/use-online.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import { useNow } from "../../ui/use-now.ts";
import { useUser } from "../session/use-user.ts";
import { liveStore } from "../../api/live/live.ts";
import { isCurrent, onDayOf, type LiveState } from "../../api/live/live-state.ts";

/**
 * The snapshot to show. One restored from an earlier visit is shown only while offline or disconnected: with a
 * connection, a fresh one is a moment away.
 */
export function useVisibleSnapshot(): LiveState["snapshot"] {
  const isOnline = useOnline();
  // While the driver is off, nothing arrives at midnight.
  const now = useNow(MINUTE_MS);
  const snapshot = useSelector(liveStore, ({ snapshot, isRestored, connection }) =>
    isRestored && isOnline && connection !== "waiting" ? null : snapshot,
  );
  return snapshot && onDayOf(snapshot, now);
}

/**
 * Whether an account has to be linked before anything else: as the driver's object says while it can be heard, else as their
 * record has it, which follows a moment later.
 */
export function useMustLink(): boolean {
  const { proxyInstalled } = useUser();
  const now = useNow(MINUTE_MS);
  return useSelector(liveStore, (live) =>
    live.snapshot && isCurrent(live) ? possibleNow(live.snapshot, now).mustLink : !proxyInstalled,
  );
}

/** When the shown snapshot is from, if it may be out of date; null while the connection is open. */
export function useStaleSince(): number | null {
  const isOnline = useOnline();
  return useSelector(liveStore, (live) => (isOnline && isCurrent(live) ? null : live.lastMessageAt));
}

/** When the page last heard from the server, if that was before the driver's today, of which it knows nothing then. */
export function useUnheardToday(): number | null {
  const since = useStaleSince();
  const now = useNow(MINUTE_MS);
  const snapshot = useSelector(liveStore, (live) => live.snapshot);
  return snapshot && onDayOf(snapshot, now) !== snapshot ? since : null;
}
