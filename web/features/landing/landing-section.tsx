import type { ReactNode } from "react";

/** A section of the landing page; the header links to its `id`. One that follows another on the same ground is nearer to it. */
export function LandingSection({
  id,
  title,
  text,
  isBeside = false,
  children,
}: {
  id: string;
  title: string;
  text?: string;
  /** On a desk the title stands beside what is narrow enough to read. */
  isBeside?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`mx-auto grid max-w-7xl scroll-mt-15 grid-cols-1 gap-6 px-4 py-10 sm:px-6 lg:py-16 [section+&]:pt-4 lg:[section+&]:pt-8 ${isBeside ? "lg:grid-cols-[2fr_3fr] lg:gap-16" : ""}`}
    >
      <div className="grid content-start gap-2">
        <h2 id={`${id}-title`} className="text-3xl">
          {title}
        </h2>
        {text && <p className="max-w-prose text-lg leading-normal text-soft">{text}</p>}
      </div>
      <div className="grid grid-cols-1 content-start gap-6">{children}</div>
    </section>
  );
}
