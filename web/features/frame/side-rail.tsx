import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import { PLACES } from "./places.ts";

/** The menu of a wide screen. */
export function SideRail() {
  return (
    <nav aria-label={m.nav_main()} className="sticky top-20 hidden w-52 shrink-0 self-start lg:block">
      <ul className="grid gap-1">
        {PLACES.map(({ to, Icon, name }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-11 items-center gap-3 rounded-field border-l-4 border-transparent px-3 font-semibold text-soft hover:bg-sunken aria-[current=page]:border-signal aria-[current=page]:bg-sunken aria-[current=page]:text-ink"
            >
              <Icon aria-hidden className="size-5" />
              {name()}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
