import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 76rem)";

/** Whether to render the desktop layout, for components that differ from the phone's in more than CSS. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(WIDE);
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}
