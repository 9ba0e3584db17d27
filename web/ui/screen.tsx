import type { ReactNode } from "react";

/** The width of a form, of a column to read, of two columns of cards, or all there is. */
const WIDTHS = {
  form: "mx-auto max-w-md gap-5 py-4",
  reading: "max-w-4xl gap-4",
  cards: "mx-auto max-w-5xl gap-4",
  full: "gap-4",
} as const;

/** A signed-in screen: its title, a line about what it is for, and its content. */
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
