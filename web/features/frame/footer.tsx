import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { openSheet } from "./frame-store.ts";
import { useProductName } from "./use-config.ts";

export function Footer() {
  const product = useProductName();
  return (
    <footer className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-6 text-sm text-soft sm:px-6">
      <span>{m.footer_rights({ year: new Date().getFullYear(), product })}</span>
      <Button look="quiet" onClick={() => openSheet("support")}>
        {m.nav_contact()}
      </Button>
    </footer>
  );
}
