import type { ButtonHTMLAttributes, AnchorHTMLAttributes, Ref } from "react";

type ButtonVariant = "primary" | "plain" | "quiet" | "danger";

const VARIANT_CLASSES = {
  primary: "bg-signal text-on-signal hover:brightness-95",
  plain: "border border-edge bg-raised text-ink hover:bg-sunken",
  quiet: "text-ink underline decoration-1 underline-offset-4 hover:bg-sunken",
  danger: "border border-bad bg-raised text-bad hover:bg-sunken",
} satisfies Record<ButtonVariant, string>;

const BASE_CLASS =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-field px-4 py-2 text-base font-semibold transition-[background-color,filter] duration-150 disabled:opacity-55 aria-disabled:opacity-55";

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = "plain", extra = ""): string {
  return `${BASE_CLASS} ${VARIANT_CLASSES[variant]} ${extra}`;
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: ButtonVariant;
  ref?: Ref<HTMLButtonElement>;
};

/** `primary` is for the one action that matters most on a screen. */
export function Button({ variant = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={buttonClass(variant, className)} {...rest} />;
}

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; variant?: ButtonVariant };

/** A link that looks like a button, for addresses outside the router. */
export function ButtonLink({ variant = "plain", className = "", children, ...rest }: ButtonLinkProps) {
  return (
    <a className={buttonClass(variant, className)} {...rest}>
      {children}
    </a>
  );
}
