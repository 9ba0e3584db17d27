import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { Menu } from "lucide-react";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { Logo } from "../../ui/logo.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { RegisterLink } from "../account/register-link.tsx";
import { LanguageButtons, LanguageMenu } from "../language/language-buttons.tsx";
import { ThemeSelector } from "../ui-state/theme-selector.tsx";
import { openSheet } from "../ui-state/ui-store.ts";
import { SignInOutButton } from "../session/sign-in-out-button.tsx";
import { useProductName } from "../../api/queries/use-config.ts";

/**
 * The bar above every screen. The landing page has no theme selector, since its theme is fixed; with the side rail,
 * the links are there instead.
 */
export function Header({ onLanding, hasSideRail }: { onLanding: boolean; hasSideRail: boolean }) {
  const name = useProductName();
  const isSignedIn = Boolean(useSelector(sessionStore));
  const asksToRegister = onLanding && !isSignedIn;
  return (
    <header className="edge-to-edge @container z-20 border-b border-line bg-ground [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:top-0">
      <div className="mx-auto flex min-h-15 max-w-(--frame) items-center gap-1 pr-2 pl-4 sm:px-6">
        <Link
          to={isSignedIn ? "/flex/dashboard" : "/"}
          aria-label={name}
          className={`flex min-h-11 min-w-11 items-center rounded-field pr-2 ${hasSideRail ? "mr-auto" : "@max-[64rem]:mr-auto @min-[64rem]:pr-6"}`}
        >
          <Logo name={name} shortBelow={asksToRegister ? "26rem" : "19rem"} />
        </Link>
        {!hasSideRail && <HeaderLinks onLanding={onLanding} isSignedIn={isSignedIn} />}
        <div className="flex items-center gap-1 @min-[64rem]:hidden">
          {asksToRegister && (
            <RegisterLink className={buttonClass("primary", "px-3 text-sm @max-[20rem]:hidden")} />
          )}
          <LanguageMenu />
        </div>
        <div className="hidden items-center gap-1 @min-[64rem]:flex">
          <LanguageButtons />
          {!onLanding && <ThemeSelector />}
          <SignInOutButton />
        </div>
        <button
          type="button"
          aria-label={m.nav_menu()}
          aria-haspopup="dialog"
          onClick={() => openSheet("menu")}
          className="grid size-11 shrink-0 place-items-center rounded-field hover:bg-sunken @min-[64rem]:hidden"
        >
          <Menu aria-hidden className="size-5.5" />
        </button>
      </div>
    </header>
  );
}

const LINK_CLASS =
  "inline-flex min-h-11 items-center rounded-field px-3 font-semibold text-soft underline-offset-8 hover:bg-sunken hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-2";

/** The header's links on a wide screen: the landing page's sections, or the screens that everybody has. */
function HeaderLinks({ onLanding, isSignedIn }: { onLanding: boolean; isSignedIn: boolean }) {
  return (
    <nav aria-label={m.nav_main()} className="mr-auto hidden @min-[64rem]:block">
      <ul className="flex">{onLanding ? <LandingLinks /> : <ScreenLinks isSignedIn={isSignedIn} />}</ul>
    </nav>
  );
}

function LandingLinks() {
  const sections = [
    { hash: "features", name: m.nav_features },
    { hash: "pricing", name: m.nav_pricing },
    { hash: "faqs", name: m.nav_faqs },
  ];
  return sections.map(({ hash, name }) => (
    <li key={hash}>
      <Link to="/" hash={hash} activeOptions={{ exact: true, includeHash: true }} className={LINK_CLASS}>
        {name()}
      </Link>
    </li>
  ));
}

function ScreenLinks({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <>
      <li>
        <Link
          to={isSignedIn ? "/flex/dashboard" : "/"}
          activeOptions={{ exact: true }}
          className={LINK_CLASS}
        >
          {m.nav_home()}
        </Link>
      </li>
      {isSignedIn && (
        <>
          <li>
            <Link to="/flex/payments" className={LINK_CLASS}>
              {m.nav_payments()}
            </Link>
          </li>
          <li>
            <Link to="/flex/profile" className={LINK_CLASS}>
              {m.nav_profile()}
            </Link>
          </li>
        </>
      )}
      <li>
        <Link to="/faqs" className={LINK_CLASS}>
          {m.nav_faqs()}
        </Link>
      </li>
    </>
  );
}
