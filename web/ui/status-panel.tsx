import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** In place of content that is empty, failed or unavailable. */
export function StatusPanel({
  Icon,
  title,
  children,
  actions,
  role,
  heading: Heading = "p",
}: {
  Icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  role?: "alert" | "status";
  /** `h1` where it replaces the whole screen. */
  heading?: "h1" | "p";
}) {
  return (
    <div role={role} className="grid grid-cols-1 justify-items-center gap-2 px-6 py-10 text-center">
      <Icon aria-hidden className="size-8 text-soft" strokeWidth={1.5} />
      <Heading className="font-display text-lg font-semibold">{title}</Heading>
      {children && <p className="max-w-prose min-w-0 wrap-anywhere text-soft">{children}</p>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  );
}
