import { useSelector } from "@tanstack/react-store";
import { useLayoutEffect } from "react";
import { uiStore } from "../ui-state/ui-store.ts";
import { applyTheme } from "../ui-state/theme.ts";

/** Applies the chosen theme; `system` follows the device live. The landing page is always light. */
export function ThemeEffect({ alwaysLight }: { alwaysLight: boolean }) {
  const chosen = useSelector(uiStore, (state) => state.theme);
  const theme = alwaysLight ? "light" : chosen;
  // A layout effect, so that nothing is painted in the other theme first.
  useLayoutEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => applyTheme(theme, media.matches);
    apply();
    media.addEventListener("change", apply);
    return () => media.removeEventListener("change", apply);
  }, [theme]);
  return null;
}
