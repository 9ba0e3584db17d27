import { House, ListChecks, SlidersHorizontal, UserRound, WalletCards } from "lucide-react";
import { m } from "../../messages/messages.js";

/** Where a signed-in driver goes all day: what is under the thumb on a phone. */
export const PRIMARY_DESTINATIONS = [
  { to: "/flex/dashboard", Icon: House, name: m.nav_home },
  { to: "/flex/blocks", Icon: ListChecks, name: m.nav_blocks },
  { to: "/flex/filters", Icon: SlidersHorizontal, name: m.nav_filters },
] as const;

/** All that belongs to a driver, in the order of how often. */
export const DESTINATIONS = [
  ...PRIMARY_DESTINATIONS,
  { to: "/flex/payments", Icon: WalletCards, name: m.nav_my_payments },
  { to: "/flex/profile", Icon: UserRound, name: m.nav_profile },
] as const;
