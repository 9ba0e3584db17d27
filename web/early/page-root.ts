/** The identity library's keys in local storage. */
export const SESSION_PREFIX = "CognitoIdentityServiceProvider";

/** The element that the page's HTML fills, and its code takes over. */
export function pageRoot(): HTMLElement {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no #root");
  return root;
}

/**
 * The kind of the page's HTML: `frame` is replaced once there is something to see; a `whole` screen comes to life as it
 * is, a `form` as soon as it is painted; one that is `asleep` needs no code for that before its visitor moves.
 */
export type PaintedAs = "frame" | "whole" | "form" | "asleep";

export function paintedAs({ dataset }: HTMLElement): PaintedAs {
  const { painted } = dataset;
  return painted === "whole" || painted === "form" || painted === "asleep" ? painted : "frame";
}

/** Whether a session is stored on this device, without loading what can tell whether it is good. */
export function hasStoredSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(SESSION_PREFIX));
  } catch {
    return false;
  }
}

/** Whether the browser is older than the page needs, which `public/theme.js` finds out. */
export function isOldBrowser(): boolean {
  return document.documentElement.dataset["browser"] === "old";
}

/** The file of what the dashboard loads after its first paint, whose words come with those of the first. */
export const HOME_REST = "home-rest";

/** The tag that names the files that a page needs to come to life. */
export const WAKE_META = "wake";

/** The styles that name the fonts which a page asks for after it is painted. */
export const LATE_FONTS_ID = "late-fonts";

declare global {
  interface Window {
    /** Brings a page to life that was asleep: set by the page's code, called by what its HTML runs. */
    hydratePage?: () => Promise<void>;
  }
}
