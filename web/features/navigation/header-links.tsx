import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";

const LINK_CLASS =
  "inline-flex min-h-11 items-center rounded-field px-3 font-semibold text-soft underline-offset-8 hover:bg-sunken hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-2";

/** The header's links on a wide screen: the landing page's sections, or the screens that everybody has. */
export function HeaderLinks({ onLanding, isSignedIn }: { onLanding: boolean; isSignedIn: boolean }) {
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
