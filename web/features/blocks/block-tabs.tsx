import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import { LIST_LABELS } from "./list-labels.ts";

const LISTS = ["upcoming", "won", "disliked", "lost"] as const;

/** Links to the lists; the search parameter `type` says which one is shown. */
export function BlockTabs() {
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
