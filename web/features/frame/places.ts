import { House, ListChecks, SlidersHorizontal } from "lucide-react";
import { m } from "../../messages/messages.js";

/** Where a signed-in driver goes, in the order of how often. */
export const PLACES = [
  { to: "/flex/dashboard", Icon: House, name: m.nav_home },
  { to: "/flex/blocks", Icon: ListChecks, name: m.nav_blocks },
  { to: "/flex/filters", Icon: SlidersHorizontal, name: m.nav_filters },
] as const;
