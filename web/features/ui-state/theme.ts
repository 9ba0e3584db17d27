export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = "theme";

/** The theme chosen on this device; `system` by default. */
export function loadTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    return "system";
  }
}

export function saveTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Applies the theme, with the device's changes where it follows them. @returns what ends that */
export function followTheme(theme: Theme): () => void {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => applyTheme(theme, media.matches);
  apply();
  media.addEventListener("change", apply);
  return () => media.removeEventListener("change", apply);
}

/** Applies the theme to the page, and to the browser's bar above it. `public/theme.js` does the same before the first paint. */
function applyTheme(theme: Theme, prefersDark: boolean): void {
  const shown = theme === "dark" || (theme === "system" && prefersDark) ? "dark" : "light";
  document.documentElement.dataset.theme = shown;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = meta.dataset[shown] ?? meta.content;
}
