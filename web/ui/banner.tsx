import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** A line above a screen about something that affects all of it. */
export function Banner({ Icon, children }: { Icon: LucideIcon; children: ReactNode }) {
  return (
    <output className="flex items-start gap-3 rounded-field border border-warn bg-raised px-4 py-3 text-sm">
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-warn" />
      <span>{children}</span>
    </output>
  );
}
