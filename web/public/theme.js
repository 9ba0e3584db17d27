// Runs before the first paint, so that no page flashes in the other theme. A file of its own: the
// policy allows no inline script. The landing page is always light.
(() => {
  let chosen = "system";
  try {
    chosen = localStorage.getItem("theme") ?? "system";
  } catch {
    // Storage may be closed to us; then the device decides.
  }
  const dark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark && location.pathname !== "/" ? "dark" : "light";
})();
