import type { ReactNode } from "react";

/** The width of a form, or of a column to read. */
const WIDTHS = {
  form: { page: "max-w-md gap-5", head: "gap-2", text: "" },
  reading: { page: "max-w-3xl gap-6", head: "gap-3", text: "max-w-prose text-lg leading-normal" },
};

/** A public page: a title, a line about what it is for, and its content. */
export function TitledPage({
  width,
  title,
  text,
  above,
  children,
}: {
  width: keyof typeof WIDTHS;
  /** Before the title, such as where in a row of steps this is. */
  above?: ReactNode;
  title: string;
  text?: string;
  children: ReactNode;
}) {
  const classes = WIDTHS[width];
  return (
    <main
      id="content"
      tabIndex={-1}
      className={`mx-auto grid grid-cols-1 px-4 py-8 outline-none sm:px-6 lg:py-14 ${classes.page}`}
    >
      {above}
      <div className={`grid ${classes.head}`}>
        <h1 className="text-3xl">{title}</h1>
        {text && <p className={`text-soft ${classes.text}`}>{text}</p>}
      </div>
      {children}
    </main>
  );
}
