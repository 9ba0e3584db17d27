import { CalendarCheck, CalendarClock, CircleSlash, Wind, type LucideIcon } from "lucide-react";
import type { BlockTab } from "./block-tab.ts";
import { m } from "../../messages/messages.js";

type ListLabels = {
  name: () => string;
  text: () => string;
  empty: () => string;
  emptyText: () => string;
  Icon: LucideIcon;
};

/** The labels of each list, and of its empty state. */
export const LIST_LABELS = {
  upcoming: {
    name: m.blocks_upcoming,
    text: m.blocks_upcoming_text,
    empty: m.next_empty,
    emptyText: m.next_empty_text,
    Icon: CalendarClock,
  },
  won: {
    name: m.blocks_won,
    text: m.blocks_won_text,
    empty: m.blocks_empty_won,
    emptyText: m.blocks_empty_won_text,
    Icon: CalendarCheck,
  },
  disliked: {
    name: m.blocks_disliked,
    text: m.blocks_disliked_text,
    empty: m.blocks_empty_disliked,
    emptyText: m.blocks_empty_disliked_text,
    Icon: CircleSlash,
  },
  lost: {
    name: m.blocks_lost,
    text: m.blocks_lost_text,
    empty: m.blocks_empty_lost,
    emptyText: m.blocks_empty_lost_text,
    Icon: Wind,
  },
} satisfies Record<BlockTab, ListLabels>;
