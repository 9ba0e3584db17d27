import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import type { BlockTab } from "./block-tab.ts";
import { HoursLink } from "../hours/hours-link.tsx";
import { LIST_LABELS } from "./list-labels.ts";
import { Link } from "@tanstack/react-router";

const LISTS = ["upcoming", "won", "disliked", "lost"] as const;

/** The frame around upcoming blocks and the lists of captured, rejected and missed ones. */
export function BlocksScreen({ type, children }: { type: BlockTab; children: ReactNode }) {
  return (
    <Screen title={m.blocks_title()}>
      <BlockTabs />
      <div className="grid">
        <p className="text-soft">{LIST_LABELS[type].text()}</p>
        {type === "disliked" && <HoursLink />}
      </div>
      {children}
    </Screen>
  );
}

/** Links to the lists; the search parameter `type` says which one is shown. */
function BlockTabs() {
  return (
    <nav aria-label={m.blocks_title()} className="border-b border-line">
      <ul className="flex overflow-x-auto overflow-y-hidden">
        {LISTS.map((type) => (
          <li key={type} className="flex-1 sm:flex-none">
            <Link
              to="/flex/blocks"
              search={{ type }}
              resetScroll={false}
              className="grid min-h-12 place-items-center border-b-3 border-transparent px-2 text-center text-sm leading-tight min-[28rem]:px-3 min-[28rem]:text-base font-semibold text-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:text-ink sm:px-5"
            >
              {LIST_LABELS[type].name()}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
