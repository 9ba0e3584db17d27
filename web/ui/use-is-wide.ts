import { useSyncExternalStore } from "react";

const WIDE_REM = 76;

/** Media queries know only the browser's own text size; larger text needs more room. */
function wideMedia(): MediaQueryList {
  const textPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return matchMedia(`(min-width: ${WIDE_REM * textPx}px)`);
}

/** Whether to render the desktop layout, for components that differ from the phone's in more than CSS. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => wideMedia().matches,
    () => false,
  );
}

function subscribe(onChange: () => void): () => void {
  const media = wideMedia();
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}
