import { ChevronDown } from "lucide-react";
import { m } from "../../messages/messages.js";
import { ChangePassword } from "../account/change-password.tsx";

/** Collapsed by default: it is rarely needed and has three fields. */
export function ChangePasswordCard() {
  return (
    <details className="group card">
      <summary className="flex min-h-11 items-center justify-between gap-4 rounded-card px-5 py-4 [&::-webkit-details-marker]:hidden">
        <h2 className="text-lg">{m.change_title()}</h2>
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 text-soft transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="px-5 pb-5">
        <ChangePassword />
      </div>
    </details>
  );
}
