import { createStore, useSelector } from "@tanstack/react-store";
import { splitLanguage } from "../../../worker/contract/page-address.ts";
import { getLocale, overwriteGetLocale, setLocale, toLocale, type Locale } from "../../messages/runtime.js";

const localeStore = createStore(initialLocale());
overwriteGetLocale(() => localeStore.get());

/** The language of the page's HTML, which the server picked: the address's, else the one chosen on this device. */
function initialLocale(): Locale {
  const given = typeof document === "undefined" ? undefined : toLocale(document.documentElement.lang);
  return given ?? getLocale();
}

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
  dropLanguageFromAddress(locale);
}

/** An address that names another language would decide again when the page is loaded anew. */
function dropLanguageFromAddress(locale: Locale): void {
  if (typeof location === "undefined") return;
  const url = new URL(location.href);
  const { language, pathname } = splitLanguage(url.pathname);
  if (language === null || language === locale) return;
  url.pathname = pathname;
  history.replaceState(history.state, "", url);
}
