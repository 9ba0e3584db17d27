import type { ReactNode } from "react";

/** How wide a screen grows: a form's, a list's, or as far as there is room. */
const WIDTHS = {
  form: "mx-auto max-w-md gap-5 py-4",
  reading: "max-w-4xl gap-4",
  cards: "mx-auto max-w-5xl gap-4",
  full: "gap-4",
} as const;

/** A screen behind the sign-in: its title, a line of what it is for, and its content. */
export function Screen({
  title,
  text,
  width = "full",
  children,
}: {
  title?: string;
  text?: string;
  width?: keyof typeof WIDTHS;
  children: ReactNode;
}) {
  return (
    <div className={`grid grid-cols-1 ${WIDTHS[width]}`}>
      {title && (
        <div>
          <h1 className="text-2xl">{title}</h1>
          {text && <p className="mt-1 max-w-prose text-soft">{text}</p>}
        </div>
      )}
      {children}
    </div>
  );
}
