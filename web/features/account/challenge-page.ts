import { CHALLENGE_ATTRIBUTE, CHALLENGE_HERE, CHALLENGE_PATHS } from "../../../worker/contract/page-parts.ts";

/** Whether the policy that this page was served with forbids the challenge, which the deployment asks for. */
export function isChallengeElsewhere(): boolean {
  const attribute = document.documentElement.getAttribute(CHALLENGE_ATTRIBUTE);
  return attribute !== null && attribute !== CHALLENGE_HERE;
}

/** Whether a path is to be loaded as a page of its own, since its form begins with the challenge. */
export function isLoadedForChallenge(pathname: string): boolean {
  return isChallengeElsewhere() && CHALLENGE_PATHS.includes(pathname) && pathname !== "/login";
}
