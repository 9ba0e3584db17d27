import { useSyncExternalStore } from "react";

/**
 * False while HTML that was rendered at build time comes to life, which has to begin with what it says. What only the
 * network knows is shown after that.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

const subscribe = () => () => undefined;
