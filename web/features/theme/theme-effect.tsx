import { useSelector } from "@tanstack/react-store";
import { useLayoutEffect } from "react";
import { uiStore } from "../ui-state/ui-store.ts";
import { applyTheme } from "../ui-state/theme.ts";

/** Keeps the page in the chosen theme; `system` follows the device while it changes. The landing page is always light. */
export function ThemeEffect({ alwaysLight }: { alwaysLight: boolean }) {
  const chosen = useSelector(uiStore, (state) => state.theme);
  const theme = alwaysLight ? "light" : chosen;
  // Before the paint, so that no screen flashes in the other theme.
  useLayoutEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => applyTheme(theme, media.matches);
    apply();
    media.addEventListener("change", apply);
    return () => media.removeEventListener("change", apply);
  }, [theme]);
  return null;
}
