import { Gift, House, ListChecks, SlidersHorizontal, UserPlus, UserRound, WalletCards } from "lucide-react";
import { m } from "../../messages/messages.js";

/** The screens that a driver uses all day: a phone's bottom bar. */
export const PRIMARY_DESTINATIONS = [
  { to: "/flex/dashboard", Icon: House, name: m.nav_home },
  { to: "/flex/blocks", Icon: ListChecks, name: m.nav_blocks },
  { to: "/flex/filters", Icon: SlidersHorizontal, name: m.nav_filters },
] as const;

/** All of a driver's screens, most used first. */
export const DESTINATIONS = [
  ...PRIMARY_DESTINATIONS,
  { to: "/flex/payments", Icon: WalletCards, name: m.nav_my_payments },
  { to: "/flex/rewards", Icon: Gift, name: m.nav_rewards },
  { to: "/flex/invitations", Icon: UserPlus, name: m.nav_invitations },
  { to: "/flex/profile", Icon: UserRound, name: m.nav_profile },
] as const;
