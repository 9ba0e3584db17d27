import { Fragment, useEffect, type ReactNode } from "react";
import { useLocale } from "./locale.ts";

/** Remounts everything when the language changes. State that must survive that lives in stores. */
export function LanguageBoundary({ children }: { children: ReactNode }) {
  const locale = useLocale();
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return <Fragment key={locale}>{children}</Fragment>;
}
