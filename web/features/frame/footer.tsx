import { useSelector } from "@tanstack/react-store";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { openSheet } from "./frame-store.ts";
import { useProductName } from "./use-config.ts";

const YEAR = new Date().getFullYear();

export function Footer() {
  const product = useProductName();
  const hasBottomBar = Boolean(useSelector(sessionStore));
  return (
    <footer
      className={`mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 pt-4 text-sm text-soft sm:px-6 lg:pb-6 ${hasBottomBar ? "pb-[calc(4.5rem+env(safe-area-inset-bottom))]" : "pb-6"}`}
    >
      <span>{m.footer_rights({ year: YEAR, product })}</span>
      <Button look="quiet" onClick={() => openSheet("support")}>
        {m.nav_contact()}
      </Button>
    </footer>
  );
}
