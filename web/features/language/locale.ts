import { createStore, useSelector } from "@tanstack/react-store";
import { BASE_LANGUAGE, LANGUAGES } from "../../../db/shapes/language.ts";
import { LANGUAGE_COOKIE } from "../../../worker/contract/language-cookie.ts";
import { isPublicPath, splitLanguage, withLanguage } from "../../../worker/contract/page-address.ts";
import { overwriteGetLocale, type Locale } from "../../messages/runtime.js";
import { loadMessages, switchMessages } from "../../early/message-texts.ts";

const localeStore = createStore(initialLocale());
overwriteGetLocale(() => localeStore.get());

const COOKIE_SECONDS = 400 * 24 * 3_600;

/** The language of the page's HTML, which the server picked: the address's, else the one chosen on this device. */
function initialLocale(): Locale {
  const given = typeof document === "undefined" ? BASE_LANGUAGE : document.documentElement.lang;
  return LANGUAGES.find((language) => language === given) ?? BASE_LANGUAGE;
}

/** The page's language; components that format or show text rerender with it. */
export function useLocale(): Locale {
  return useSelector(localeStore);
}

/** The page's language, outside of components. */
export function currentLocale(): Locale {
  return localeStore.get();
}

let latest: Locale | null = null;

/** Changes the page's language, as soon as its words are loaded, and stores it in the cookie. */
export function changeLocale(locale: Locale): void {
  if (typeof document !== "undefined")
    document.cookie = `${LANGUAGE_COOKIE}=${locale}; path=/; max-age=${COOKIE_SECONDS}`;
  latest = locale;
  const show = () => {
    if (latest !== locale) return;
    switchMessages(locale);
    localeStore.setState(() => locale);
    nameInAddress(locale);
  };
  const loading = loadMessages(locale);
  if (loading) loading.then(show, reportMissingWords);
  else show();
}

/** The page stays in the language that it has; loaded anew, it is in the one that was chosen. */
function reportMissingWords(error: unknown): void {
  // oxlint-disable-next-line no-console -- nothing is lost, and the choice is stored
  console.warn("language.words.missing", error instanceof Error ? error.message : "unknown");
}

/**
 * An address that names another language would decide again when the page is loaded anew. Where the browser keeps no cookies,
 * the address of a public page, and of those that it links to, names the chosen one instead.
 */
function nameInAddress(locale: Locale): void {
  if (typeof location === "undefined") return;
  const url = new URL(location.href);
  const { language, pathname } = splitLanguage(url.pathname);
  const isKept = document.cookie.includes(LANGUAGE_COOKIE);
  if (language === locale || (isKept ? language === null : !isPublicPath(pathname))) return;
  url.pathname = isKept ? pathname : withLanguage(pathname, locale);
  history.replaceState(history.state, "", url);
}
