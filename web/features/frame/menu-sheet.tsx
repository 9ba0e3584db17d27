import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { House, LifeBuoy, UserPlus } from "lucide-react";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { ThemeSelector } from "../theme/theme-selector.tsx";
import { frameStore, openSheet } from "./frame-store.ts";
import { PLACES } from "./places.ts";
import { SignInOrOut } from "./sign-in-or-out.tsx";

const ROW = "flex min-h-12 w-full items-center gap-3 rounded-field px-3 font-semibold hover:bg-sunken";

/** The menu of a phone, from the top. */
export function MenuSheet({ onLanding }: { onLanding: boolean }) {
  const isOpen = useSelector(frameStore, (open) => open === "menu");
  const isSignedIn = Boolean(useSelector(sessionStore));
  const close = () => openSheet(null);
  return (
    <Sheet open={isOpen} onClose={close} edge="top" title={m.nav_menu()}>
      <ul className="grid gap-1">
        {isSignedIn ? (
          PLACES.map(({ to, Icon, name }) => (
            <li key={to}>
              <Link to={to} onClick={close} className={ROW}>
                <Icon aria-hidden className="size-5" />
                {name()}
              </Link>
            </li>
          ))
        ) : (
          <li>
            <Link to="/" onClick={close} className={ROW}>
              <House aria-hidden className="size-5" />
              {m.nav_home()}
            </Link>
          </li>
        )}
        <li>
          <button type="button" onClick={() => openSheet("support")} className={ROW}>
            <LifeBuoy aria-hidden className="size-5" />
            {m.nav_contact()}
          </button>
        </li>
        {!isSignedIn && (
          <li>
            <Link to="/register" onClick={close} className={ROW}>
              <UserPlus aria-hidden className="size-5" />
              {m.nav_register()}
            </Link>
          </li>
        )}
      </ul>
      <div className="mt-3 flex items-center justify-between border-t border-line pt-3">
        {onLanding ? <span /> : <ThemeSelector />}
        <SignInOrOut />
      </div>
    </Sheet>
  );
}
