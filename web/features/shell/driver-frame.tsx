import type { ReactNode } from "react";
import { StartStrip } from "../start/start-strip.tsx";
import { useStartStep } from "../start/use-start-step.ts";
import { Link, useLocation } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import {
  CircleHelp,
  ChevronRight,
  Gift,
  House,
  ListChecks,
  SlidersHorizontal,
  UserPlus,
  UserRound,
  WalletCards,
} from "lucide-react";
import { breadcrumbOf } from "../navigation/screen-titles.ts";
import { useSelector } from "@tanstack/react-store";
import { sessionStore } from "../../api/session/session.ts";
import { isSettingUp } from "../start/start-step.ts";

const ROW =
  "flex min-h-11 items-center gap-3 rounded-field border-l-4 border-transparent px-3 font-semibold text-soft hover:bg-sunken aria-[current=page]:border-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink";

/** The screens that a driver uses all day: a phone's bottom bar. */
const PRIMARY_DESTINATIONS = [
  { to: "/flex/dashboard", Icon: House, name: m.nav_home },
  { to: "/flex/blocks", Icon: ListChecks, name: m.nav_blocks },
  { to: "/flex/filters", Icon: SlidersHorizontal, name: m.nav_filters },
] as const;

/** A phone's tabs. */
const TABS = [
  ...PRIMARY_DESTINATIONS,
  { to: "/flex/payments", Icon: WalletCards, name: m.nav_payments },
] as const;

/** All of a driver's screens, most used first. */
const DESTINATIONS = [
  ...PRIMARY_DESTINATIONS,
  { to: "/flex/payments", Icon: WalletCards, name: m.nav_my_payments },
  { to: "/flex/rewards", Icon: Gift, name: m.nav_rewards },
  { to: "/flex/invitations", Icon: UserPlus, name: m.nav_invitations },
  { to: "/flex/profile", Icon: UserRound, name: m.nav_profile },
] as const;

/** The layout of the signed-in screens: the side rail or bottom bar and the breadcrumbs, or the steps of who is setting up. */
export function DriverFrame({ children }: { children: ReactNode }) {
  const start = useStartStep();
  const hasTabs = useHasTabs();
  return (
    <div
      className={`mx-auto flex max-w-(--frame) px-4 pt-4 pb-6 sm:px-6 lg:gap-8 lg:pt-6 ${hasTabs ? "[--tabs:calc(4rem+1px+env(safe-area-inset-bottom))]" : "flex-col [--tabs:0px] lg:flex-row"}`}
    >
      {hasTabs ? <SideRail /> : start && <StartStrip {...start} isInRail />}
      <div className="min-w-0 flex-1">
        {hasTabs && start && <StartStrip {...start} />}
        {hasTabs && <Breadcrumbs />}
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
      </div>
      {hasTabs && <BottomBar />}
    </div>
  );
}

/** The main navigation on a phone. */
function BottomBar() {
  return (
    <nav
      aria-label={m.nav_main()}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-ground pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <ul className="mx-auto grid max-w-lg grid-cols-4">
        {TABS.map(({ to, Icon, name }) => (
          <li key={to}>
            <Link
              to={to}
              className="group grid min-h-16 content-center py-1 justify-items-center gap-0.5 text-center text-[min(0.8125rem,4.2vw,20px)] font-semibold text-soft aria-[current=page]:text-ink"
            >
              <span className="rounded-full px-3.5 py-1 group-aria-[current=page]:bg-ink group-aria-[current=page]:text-ground">
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

/** The main navigation on a wide screen. With it, the header shows no links. */
function SideRail() {
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

/** The path from the driver's home to the current screen. */
function Breadcrumbs() {
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

/** Whether a driver's screen has its tabs, in the side rail or the bottom bar: not while the driver is setting up. */
export function useHasTabs(): boolean {
  const isSignedIn = Boolean(useSelector(sessionStore));
  const start = useStartStep();
  return isSignedIn && !isSettingUp(start?.step ?? null);
}
