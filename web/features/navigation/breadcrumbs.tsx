import { Link, useLocation } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { m } from "../../messages/messages.js";
import { breadcrumbOf } from "./screen-titles.ts";

/** The path from the driver's home to the current screen. */
export function Breadcrumbs() {
  const current = useLocation({ select: ({ pathname }) => breadcrumbOf(pathname) });
  if (!current) return null;
  return (
    <nav aria-label={m.nav_breadcrumbs()} className="-mt-2 mb-1 text-sm text-soft">
      <ol className="flex flex-wrap items-center gap-1">
        <li>
          <Link
            to="/flex/dashboard"
            className="inline-flex min-h-11 min-w-11 items-center underline-offset-4 hover:underline"
          >
            {m.nav_home()}
          </Link>
        </li>
        <li className="flex items-center gap-1">
          <ChevronRight aria-hidden className="size-4" />
          <span aria-current="page" className="font-semibold text-ink">
            {current}
          </span>
        </li>
      </ol>
    </nav>
  );
}
