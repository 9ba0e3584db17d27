import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import { PRIMARY_DESTINATIONS } from "../navigation/destinations.ts";

/** The main navigation on a phone. */
export function BottomBar() {
  return (
    <nav
      aria-label={m.nav_main()}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-ground pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <ul className="mx-auto grid max-w-lg grid-cols-3">
        {PRIMARY_DESTINATIONS.map(({ to, Icon, name }) => (
          <li key={to}>
            <Link
              to={to}
              className="group grid min-h-16 content-center py-1 justify-items-center gap-0.5 text-center text-[min(0.8125rem,6.5vw)] font-semibold text-soft aria-[current=page]:text-ink"
            >
              <span className="rounded-full px-4 py-1 group-aria-[current=page]:bg-ink group-aria-[current=page]:text-ground">
                <Icon aria-hidden className="size-5" />
              </span>
              {name()}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
