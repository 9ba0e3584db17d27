import { useCallback, useState } from "react";

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
