import type { ReactNode } from "react";

/** As wide as what stands in it: a form, or lines that are read. */
const WIDTHS = {
  form: { page: "max-w-md gap-5", head: "gap-2", text: "" },
  reading: { page: "max-w-3xl gap-6", head: "gap-3", text: "max-w-prose text-lg leading-normal" },
};

/** A page of its own, outside the signed-in screens: a title, a line of what comes, and that. */
export function TitledPage({
  width,
  title,
  text,
  children,
}: {
  width: keyof typeof WIDTHS;
  title: string;
  text?: string;
  children: ReactNode;
}) {
  const classes = WIDTHS[width];
  return (
    <main
      id="content"
      tabIndex={-1}
      className={`mx-auto grid px-4 py-8 outline-none sm:px-6 lg:py-14 ${classes.page}`}
    >
      <div className={`grid ${classes.head}`}>
        <h1 className="text-3xl">{title}</h1>
        {text && <p className={`text-soft ${classes.text}`}>{text}</p>}
      </div>
      {children}
    </main>
  );
}
