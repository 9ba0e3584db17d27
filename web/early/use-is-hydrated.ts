import { useSyncExternalStore } from "react";

/**
 * False while HTML that was rendered at build time comes to life, which has to begin with what it says. Data that only
 * the network has follows after that.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

const subscribe = () => () => undefined;
