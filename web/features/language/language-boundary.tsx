import { Fragment, useEffect, type ReactNode } from "react";
import { useLocale } from "./locale.ts";

/** Draws everything anew when the language changes; what must survive that stands in stores. */
export function LanguageBoundary({ children }: { children: ReactNode }) {
  const locale = useLocale();
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return <Fragment key={locale}>{children}</Fragment>;
}
