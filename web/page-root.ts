/** The identity library's keys in local storage. */
export const SESSION_PREFIX = "CognitoIdentityServiceProvider";

/** The element that the page's HTML fills, and its code takes over. */
export function pageRoot(): HTMLElement {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no #root");
  return root;
}

/**
 * What the page's HTML is: `frame` is replaced once there is something to see; a `whole` screen comes to life as it is; one that
 * is `asleep` needs no code for that before its visitor moves.
 */
export type PaintedAs = "frame" | "whole" | "asleep";

export function paintedAs({ dataset }: HTMLElement): PaintedAs {
  return dataset["painted"] === "whole" || dataset["painted"] === "asleep" ? dataset["painted"] : "frame";
}

/** Whether a session is stored on this device, without loading what can tell whether it is good. */
export function hasStoredSession(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(SESSION_PREFIX));
  } catch {
    return false;
  }
}
