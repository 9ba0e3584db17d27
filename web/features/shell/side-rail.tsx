import { Link } from "@tanstack/react-router";
import { CircleHelp } from "lucide-react";
import { m } from "../../messages/messages.js";
import { DESTINATIONS } from "../navigation/destinations.ts";

const ROW =
  "flex min-h-11 items-center gap-3 rounded-field border-l-4 border-transparent px-3 font-semibold text-soft hover:bg-sunken aria-[current=page]:border-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink";

/** The main navigation on a wide screen. With it, the header shows no links. */
export function SideRail() {
  return (
    <nav
      aria-label={m.nav_main()}
      className="sticky top-(--below-header) -m-1.5 hidden max-h-[calc(100dvh-var(--below-header))] w-[calc(9rem+92px)] shrink-0 self-start overflow-y-auto p-1.5 lg:block"
    >
      <ul className="grid gap-1">
        {DESTINATIONS.map(({ to, Icon, name }) => (
          <li key={to}>
            <Link to={to} className={ROW}>
              <Icon aria-hidden className="size-5 shrink-0" />
              {name()}
            </Link>
          </li>
        ))}
        <li className="mt-2 border-t border-line pt-3">
          <Link to="/faqs" className={ROW}>
            <CircleHelp aria-hidden className="size-5 shrink-0" />
            {m.nav_faqs()}
          </Link>
        </li>
      </ul>
    </nav>
  );
}
