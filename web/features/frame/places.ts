import { House, ListChecks, SlidersHorizontal, UserRound, WalletCards } from "lucide-react";
import { m } from "../../messages/messages.js";

/** Screens that the header and the menu name too. */
export const PAYMENTS: string = "/flex/payments";
export const PROFILE: string = "/flex/profile";

/** Where a signed-in driver goes all day: what is under the thumb on a phone. */
export const DAILY_PLACES = [
  { to: "/flex/dashboard", Icon: House, name: m.nav_home },
  { to: "/flex/blocks", Icon: ListChecks, name: m.nav_blocks },
  { to: "/flex/filters", Icon: SlidersHorizontal, name: m.nav_filters },
] as const;

/** All that belongs to a driver, in the order of how often. */
export const PLACES = [
  ...DAILY_PLACES,
  { to: PAYMENTS, Icon: WalletCards, name: m.nav_my_payments },
  { to: PROFILE, Icon: UserRound, name: m.nav_profile },
] as const;
