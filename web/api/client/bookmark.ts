/** One per tab: after a reload drivers still see what they have just written, from the nearest replica that has it. */
const STORAGE_KEY = "jornada.bookmark";

let latest: string | null = null;

/** The database's bookmark after our calls, so that we read our own writes; null before the first. */
export function currentBookmark(): string | null {
  latest ??= read();
  return latest;
}

/** Keeps a response's bookmark. Responses may arrive out of order: the greatest bookmark is the latest. */
export function saveBookmark(bookmark: string | null): void {
  const known = currentBookmark();
  if (bookmark === null || (known !== null && bookmark <= known)) return;
  latest = bookmark;
  try {
    sessionStorage.setItem(STORAGE_KEY, bookmark);
  } catch {
    // Without storage it lasts as long as the page.
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
