import { useId, type ReactNode } from "react";

/** A section of the profile. */
export function ProfileCard({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="card grid grid-cols-1 content-start gap-4 p-5">
      <h2 id={titleId} className="text-lg">
        {title}
      </h2>
      {children}
    </section>
  );
}
