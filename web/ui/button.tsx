import type { ButtonHTMLAttributes, AnchorHTMLAttributes } from "react";

type Look = "primary" | "plain" | "quiet" | "danger";

const LOOKS = {
  primary: "bg-signal text-on-signal hover:brightness-95",
  plain: "border border-edge bg-raised text-ink hover:bg-sunken",
  quiet: "text-ink underline decoration-1 underline-offset-4 hover:bg-sunken",
  danger: "border border-bad bg-raised text-bad hover:bg-sunken",
} satisfies Record<Look, string>;

const SHAPE =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-field px-4 py-2 text-base font-semibold transition-[background-color,filter] duration-150 disabled:opacity-55";

/** The classes of a button, for a link that looks like one. */
export function buttonClass(look: Look = "plain", extra = ""): string {
  return `${SHAPE} ${LOOKS[look]} ${extra}`;
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look };

/** Something to do. `primary` is the one button that matters on a screen. */
export function Button({ look = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />;
}

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; look?: Look };

/** A place to go that looks like a button; for addresses outside the router. */
export function ButtonLink({ look = "plain", className = "", children, ...rest }: ButtonLinkProps) {
  return (
    <a className={buttonClass(look, className)} {...rest}>
      {children}
    </a>
  );
}
