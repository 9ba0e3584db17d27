import { useCallback, useState } from "react";

/** A bar that stays at the edge of a narrow screen, above the tabs where there are any. */
export const EDGE_BAR_CLASS =
  "max-lg:sticky max-lg:bottom-(--tabs) max-lg:-mx-4 max-lg:rounded-none max-lg:border-x-0 max-lg:border-b-0 max-lg:px-4 max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:max-lg:-mx-6 sm:max-lg:px-6";

/** The most of the window's height that a bar may cover. */
const MOST = 1 / 4;

/**
 * Whether a bar may stay in view over what it belongs to. One that would cover too much, as in large text or a low window,
 * stands in its place and is scrolled to like anything else.
 */
export function useStaysInView(): {
  ref: (bar: HTMLElement | null) => (() => void) | undefined;
  staysInView: boolean;
} {
  const [staysInView, setStaysInView] = useState(true);
  const ref = useCallback((bar: HTMLElement | null) => {
    if (!bar) return undefined;
    const measure = () => setStaysInView(bar.offsetHeight <= innerHeight * MOST);
    const observer = new ResizeObserver(measure);
    observer.observe(bar);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return { ref, staysInView };
}
