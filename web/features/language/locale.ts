import { createStore, useSelector } from "@tanstack/react-store";
import { getLocale, setLocale, type Locale } from "../../messages/runtime.js";

const localeStore = createStore(getLocale());

/** The page's language; components that format or show text rerender with it. */
export function useLocale(): Locale {
  return useSelector(localeStore);
}

/** The page's language, outside of components. */
export function currentLocale(): Locale {
  return localeStore.get();
}

/** Changes the page's language and stores it in the cookie. */
export function changeLocale(locale: Locale): void {
  void setLocale(locale, { reload: false });
  localeStore.setState(() => locale);
}
