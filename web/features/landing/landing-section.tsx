import type { ReactNode } from "react";

/** A section of the landing page; the header links to its `id`. */
export function LandingSection({
  id,
  title,
  text,
  children,
}: {
  id: string;
  title: string;
  text?: string;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="mx-auto grid max-w-6xl scroll-mt-15 gap-6 px-4 py-10 sm:px-6 lg:py-16"
    >
      <div className="grid gap-2">
        <h2 id={`${id}-title`} className="text-3xl">
          {title}
        </h2>
        {text && <p className="max-w-prose text-lg leading-normal text-soft">{text}</p>}
      </div>
      {children}
    </section>
  );
}
