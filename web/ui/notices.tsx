import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** The failure, the next step if one is known, and another site's page for that step. */
export type FormMessage = { title: string; hint?: string; pageUrl?: string | null };

/** The failure of a form as a whole; announced as soon as it appears. */
export function FormError({ title, hint }: { title: string; hint?: string | undefined }) {
  return (
    <div role="alert" className="rounded-field border border-bad bg-raised px-4 py-3">
      <p className="font-semibold text-bad">{title}</p>
      {hint && <p className="text-sm">{hint}</p>}
    </div>
  );
}

/** A line above a screen about something that affects all of it. */
export function Banner({ Icon, children }: { Icon: LucideIcon; children: ReactNode }) {
  return (
    <output className="flex items-start gap-3 rounded-field border border-warn bg-raised px-4 py-3 text-sm">
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-warn" />
      <span>{children}</span>
    </output>
  );
}
