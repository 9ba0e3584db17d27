import type { ReactNode } from "react";

/** A page that is read: a title, a line of what comes, and text in lines that are not too long. */
export function ReadingPage({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children: ReactNode;
}) {
  return (
    <main
      id="content"
      tabIndex={-1}
      className="mx-auto grid max-w-3xl gap-6 px-4 py-8 outline-none sm:px-6 lg:py-14"
    >
      <div className="grid gap-3">
        <h1 className="text-3xl">{title}</h1>
        {text && <p className="max-w-prose text-lg leading-normal text-soft">{text}</p>}
      </div>
      {children}
    </main>
  );
}
