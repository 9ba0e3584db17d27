import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 76rem)";

/** Whether there is room for a desk's layout, where a phone gets another one and not only other sizes. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}

function subscribe(tell: () => void): () => void {
  const media = matchMedia(WIDE);
  media.addEventListener("change", tell);
  return () => media.removeEventListener("change", tell);
}
