import { LANGUAGE_COOKIE, splitLanguage } from "../../../worker/contract/page-address.ts";
import { cookieMaxAge, getLocale, type Locale } from "../../messages/runtime.js";
import { readReloadNote, writeReloadNote } from "./reload-note.ts";

/** The page's language. It stays the same for as long as the page is loaded. */
export function currentLocale(): Locale {
  return getLocale();
}

/** Loads the page anew in the language that was chosen on this device. */
export function chooseLocale(locale: Locale): void {
  storeLocale(locale);
  writeReloadNote(locale);
  reloadPage();
}

/**
 * Loads the page anew in the language of its driver, if that is another. Once: without a network or cookies it comes
 * back as it was.
 */
export function changeLocale(locale: Locale): void {
  storeLocale(locale);
  const note = readReloadNote();
  if (locale === currentLocale() || note === locale || note === undefined) return;
  writeReloadNote(locale);
  reloadPage();
}

/** Does the same, unless the page was already loaded anew for a language: what was chosen since then holds. */
export function suggestLocale(locale: Locale): void {
  if (readReloadNote() === null) changeLocale(locale);
}

const listeners = new Set<() => void>();

/**
 * Calls back before the page is loaded anew, for what only this page knows.
 * @returns a function that stops it
 */
export function onBeforeReload(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

function storeLocale(locale: Locale): void {
  document.cookie = `${LANGUAGE_COOKIE}=${locale}; path=/; max-age=${cookieMaxAge}`;
}

function reloadPage(): void {
  for (const callback of listeners) callback();
  const url = new URL(location.href);
  // An address that names a language would go on to decide.
  url.pathname = splitLanguage(url.pathname).pathname;
  history.replaceState(history.state, "", url);
  location.reload();
}
