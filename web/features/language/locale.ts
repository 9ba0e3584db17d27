import { createStore, useSelector } from "@tanstack/react-store";
import { getLocale, setLocale, type Locale } from "../../messages/runtime.js";

const localeStore = createStore(getLocale());

/** The language of the page; a component that formats figures or says words renders anew with it. */
export function useLocale(): Locale {
  return useSelector(localeStore);
}

/** The language of the page, for what is no component. */
export function currentLocale(): Locale {
  return localeStore.get();
}

/** Changes the language of the page and remembers it in the cookie. */
export function changeLocale(locale: Locale): void {
  void setLocale(locale, { reload: false });
  localeStore.setState(() => locale);
}
