import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { CircleHelp, Gift, House, LifeBuoy, UserPlus, UserRound, WalletCards } from "lucide-react";
import { Suspense } from "react";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { RegisterLink } from "../account/register-link.tsx";
import { ThemeSelector } from "../ui-state/theme-selector.tsx";
import { openSheet } from "../ui-state/ui-store.ts";
import { SignInOutButton } from "../session/sign-in-out-button.tsx";

const ROW =
  "flex min-h-12 w-full flex-wrap items-center gap-x-3 rounded-field px-3 font-semibold hover:bg-sunken aria-[current=page]:bg-sunken";

const HOME = { Icon: House, name: m.nav_home };
const FAQS = { to: "/faqs", Icon: CircleHelp, name: m.nav_faqs } as const;

const REWARDS = { to: "/flex/rewards", Icon: Gift, name: m.nav_rewards } as const;

/** Visitors don't load it; without it the menu has no figure there. */
const PointsBalance = lazyOptional(async () => (await import("../rewards/points-balance.tsx")).PointsBalance);

const FOR_VISITORS = [{ to: "/", ...HOME }, FAQS] as const;
const FOR_DRIVERS = [
  { to: "/flex/dashboard", ...HOME },
  { to: "/flex/payments", Icon: WalletCards, name: m.nav_payments },
  REWARDS,
  { to: "/flex/invitations", Icon: UserPlus, name: m.nav_invitations },
  FAQS,
  { to: "/flex/profile", Icon: UserRound, name: m.nav_profile },
] as const;

/** The targets in a phone's menu. */
export function MenuItems({ onLanding }: { onLanding: boolean }) {
  const isSignedIn = Boolean(useSelector(sessionStore));
  return (
    <>
      <nav aria-label={m.nav_menu()}>
        <ul className="grid gap-1">
          {(isSignedIn ? FOR_DRIVERS : FOR_VISITORS).map(({ to, Icon, name }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: true }} className={ROW}>
                <span className="flex min-w-0 items-center gap-3">
                  <Icon aria-hidden className="size-5" />
                  {name()}
                </span>
                {to === REWARDS.to && (
                  <Suspense fallback={null}>
                    <PointsBalance />
                  </Suspense>
                )}
              </Link>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => openSheet("support")} className={ROW}>
              <span className="flex min-w-0 items-center gap-3">
                <LifeBuoy aria-hidden className="size-5" />
                {m.nav_contact()}
              </span>
            </button>
          </li>
        </ul>
      </nav>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
        <div className="flex flex-wrap items-center gap-2">
          <SignInOutButton />
          {!isSignedIn && <RegisterLink className={buttonClass("quiet")} />}
        </div>
        {!onLanding && <ThemeSelector />}
      </div>
      <p className="mt-2">
        <Link to="/terms" className="inline-flex min-h-11 items-center px-3 text-sm text-soft underline">
          {m.nav_terms()}
        </Link>
      </p>
    </>
  );
}
