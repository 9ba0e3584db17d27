import type { ReactNode } from "react";

/** One of the screens before one is in: a title, a line of what comes, and a form. */
export function AccountPage({
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
      className="mx-auto grid max-w-md gap-5 px-4 py-8 outline-none sm:px-6 lg:py-14"
    >
      <div className="grid gap-2">
        <h1 className="text-3xl">{title}</h1>
        {text && <p className="text-soft">{text}</p>}
      </div>
      {children}
    </main>
  );
}
