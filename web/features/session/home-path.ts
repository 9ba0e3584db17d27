import type { User } from "../../../worker/contract/account/user.ts";

/** Where a driver goes after signing in: the first step that is still missing, else the dashboard. */
export function homePathFor({
  proxyInstalled,
  setupComplete,
  goodStanding,
}: Pick<User, "proxyInstalled" | "setupComplete" | "goodStanding">) {
  if (!proxyInstalled) return "/flex/login";
  if (!setupComplete) return "/flex/filters";
  if (!goodStanding) return "/flex/payments";
  return "/flex/dashboard";
}
