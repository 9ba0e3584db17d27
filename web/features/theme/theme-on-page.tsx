import { useEffect } from "react";
import { showTheme, useTheme } from "./theme.ts";

/** Keeps the page in the chosen theme; `system` follows the device while it changes. The landing page is always light. */
export function ThemeOnPage({ alwaysLight }: { alwaysLight: boolean }) {
  const chosen = useTheme();
  const theme = alwaysLight ? "light" : chosen;
  useEffect(() => {
    const device = matchMedia("(prefers-color-scheme: dark)");
    const show = () => showTheme(theme, device.matches);
    show();
    device.addEventListener("change", show);
    return () => device.removeEventListener("change", show);
  }, [theme]);
  return null;
}
