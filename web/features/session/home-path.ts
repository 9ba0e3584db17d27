import type { User } from "../../../worker/contract/user.ts";

/** Where a driver who has just signed in goes: the first thing that stands between them and captures. */
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
