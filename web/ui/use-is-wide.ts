import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 76rem)";

/** Whether there is room for a desk's layout, where a phone gets another one and not only other sizes. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(WIDE);
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}
