/** The identity library's keys in local storage. */
const SESSION_PREFIX = "CognitoIdentityServiceProvider";

/** The element that the page's HTML fills, and its code takes over. */
export function pageRoot(): HTMLElement {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no #root");
  return root;
}

/** Whether the page's HTML is all of the screen, and not only its frame, and has not come to life yet. */
export function isWhole(root: HTMLElement): boolean {
  return "whole" in root.dataset;
}

/** Whether a session is stored on this device, without loading what can tell whether it is good. */
export function hasStoredSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(SESSION_PREFIX));
  } catch {
    return false;
  }
}
