/** In the tab's storage: the language that the page was last loaded anew for. Plain text, only compared. */
const KEY = "jornada.reloaded-for-language";

/** Null if it was not, undefined if storage is closed to us. */
export function readReloadNote(): string | null | undefined {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return undefined;
  }
}

export function writeReloadNote(language: string | null): void {
  try {
    if (language === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, language);
  } catch {
    // Then nothing reloads by itself.
  }
}
