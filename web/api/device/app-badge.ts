/** Captures since the page was last looked at. */
let unseen = 0;

/** Shows on the installed app's icon how many captures nobody has looked at. A browser without badges shows none. */
export function badgeCapture(): void {
  if (document.visibilityState === "visible") return;
  unseen += 1;
  void navigator.setAppBadge?.(unseen).catch(ignore);
}

/** Clears the badge, even one that an earlier page left, now and whenever the page becomes visible again. */
export function clearBadgeWhenSeen(): void {
  const clear = () => {
    if (document.visibilityState !== "visible") return;
    unseen = 0;
    void navigator.clearAppBadge?.().catch(ignore);
  };
  document.addEventListener("visibilitychange", clear);
  clear();
}

/** The browser refuses if the page isn't installed. */
const ignore = () => undefined;
