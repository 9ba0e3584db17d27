import type { ReactNode } from "react";

/** A part of a screen under a heading of its own. */
export function TitledSection({
  id,
  title,
  className = "",
  children,
}: {
  /** The heading's. */
  id: string;
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className={`grid gap-3 ${className}`}>
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      {children}
    </section>
  );
}
