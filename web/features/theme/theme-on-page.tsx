import { useSelector } from "@tanstack/react-store";
import { useLayoutEffect } from "react";
import { frameStore } from "../frame/frame-store.ts";
import { showTheme } from "./theme.ts";

/** Keeps the page in the chosen theme; `system` follows the device while it changes. The landing page is always light. */
export function ThemeOnPage({ alwaysLight }: { alwaysLight: boolean }) {
  const chosen = useSelector(frameStore, (state) => state.theme);
  const theme = alwaysLight ? "light" : chosen;
  // Before the paint, so that no screen flashes in the other theme.
  useLayoutEffect(() => {
    const device = matchMedia("(prefers-color-scheme: dark)");
    const show = () => showTheme(theme, device.matches);
    show();
    device.addEventListener("change", show);
    return () => device.removeEventListener("change", show);
  }, [theme]);
  return null;
}
