import { useSyncExternalStore } from "react";

const WIDE_REM = 76;

/** The frame grows to 1,280 px, where a table of larger text has no room in any window. */
const LARGEST_TEXT_PX = 24;

/** Media queries know only the browser's own text size; larger text needs more room. */
function wideMedia(): MediaQueryList {
  const textPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return matchMedia(textPx > LARGEST_TEXT_PX ? "not all" : `(min-width: ${WIDE_REM * textPx}px)`);
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
