import { getLocale, setLocale, type Locale } from "../../messages/runtime.js";
import { splitLanguage } from "../../../worker/contract/page-address.ts";

/** The page's language. It stays the same for as long as the page is loaded. */
export function currentLocale(): Locale {
  return getLocale();
}

/** Stores the language in the cookie, and loads the page anew if it is another than the page's. */
export function changeLocale(locale: Locale): void {
  const { language, pathname } = splitLanguage(location.pathname);
  // An address that names a language would go on to decide.
  if (language && language !== locale) {
    history.replaceState(history.state, "", pathname + location.search + location.hash);
  }
  void setLocale(locale);
}
