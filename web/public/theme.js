// Runs before the first paint, so that no page flashes in the other theme, and follows the device where nothing else
// runs yet. A file of its own: the policy allows no inline script. The landing page is always light.
(() => {
  // Older than `OLDEST_BROWSERS` in web/build: where no code comes to life, the page can say why.
  if (!Array.prototype.toSorted || !CSS.supports("color", "color-mix(in srgb, red, red)"))
    document.documentElement.dataset.browser = "old";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let chosen = "system";
    try {
      chosen = localStorage.getItem("theme") ?? "system";
    } catch {
      // Storage may be closed to us; then the device decides.
    }
    const isDark = chosen === "dark" || (chosen !== "light" && dark.matches);
    const onLanding = /^\/(?:en|es|pt)?\/?$/.test(location.pathname);
    const theme = isDark && !onLanding ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    // The browser's bar above the page is the page's, not the device's.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.content = meta.dataset[theme];
  };
  apply();
  dark.addEventListener("change", apply);
})();
