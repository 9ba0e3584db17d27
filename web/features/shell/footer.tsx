import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { openSheet } from "../ui-state/ui-store.ts";
import { SignInOutButton } from "../session/sign-in-out-button.tsx";
import { useProductName } from "../../api/queries/use-config.ts";

/** Below every screen. */
export function Footer({ hasBottomBar }: { hasBottomBar: boolean }) {
  const product = useProductName();
  const [year] = useState(() => new Date().getFullYear());
  return (
    <footer
      className={`mx-auto mt-6 max-w-7xl px-4 text-sm text-soft sm:px-6 lg:pb-6 ${hasBottomBar ? "pb-[calc(5rem+env(safe-area-inset-bottom))]" : "pb-6"}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line pt-4">
        <span>{m.footer_rights({ year, product })}</span>
        <div className="-mx-4 flex flex-wrap items-center">
          <Button variant="quiet" onClick={() => openSheet("support")}>
            {m.nav_contact()}
          </Button>
          <SignInOutButton variant="quiet" />
          <Link to="/terms" className={buttonClass("quiet")}>
            {m.nav_terms()}
          </Link>
        </div>
      </div>
    </footer>
  );
}
