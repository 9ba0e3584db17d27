import { CHALLENGE_ATTRIBUTE, CHALLENGE_HERE, CHALLENGE_PATHS } from "../../../worker/contract/page-parts.ts";

/**
 * A page that is still not allowed to show it after so long was not loaded anew, as from the cache of a page without a
 * network.
 */
const RELOADS_APART_MS = 30_000;
const KEY = "jornada.challenge-reload";

/** Whether the policy that this page was served with forbids the challenge, which the deployment asks for. */
function isElsewhere(): boolean {
  const attribute = document.documentElement.getAttribute(CHALLENGE_ATTRIBUTE);
  return attribute !== null && attribute !== CHALLENGE_HERE;
}

/** Whether a path is to be loaded as a page of its own, since its form begins with the challenge. */
export function isLoadedForChallenge(pathname: string): boolean {
  return isElsewhere() && CHALLENGE_PATHS.includes(pathname) && pathname !== "/login";
}

/** Loads the page of a form anew where it may not show the challenge. @returns whether it does */
export function reloadForChallenge(now: number): boolean {
  if (!isElsewhere()) return false;
  try {
    if (now - Number(sessionStorage.getItem(KEY)) < RELOADS_APART_MS) return false;
    sessionStorage.setItem(KEY, String(now));
  } catch {
    // Without storage it could reload forever.
    return false;
  }
  location.reload();
  return true;
}
