/** How to close each open sheet, the topmost last. */
const openSheets: (() => void)[] = [];

/** Marks the history entry of a screen with a sheet over it. */
const MARK = "jornada-sheet";

/** The address of the screen beneath. */
let coveredHref = "";
let isListening = false;
/** Our own step back, from a marked entry whose sheet was closed. */
let isLeaving = false;
/** Navigations that began during that step, which would undo them. */
const waiting: (() => void)[] = [];

/**
 * Follows the browser's history. To be called before the page has a router: a window calls its listeners in the order in
 * which they were added, and the router must not hear of the steps that are ours.
 */
export function followHistory(): void {
  if (isListening) return;
  isListening = true;
  window.addEventListener("popstate", onPopState);
  const { pushState, replaceState } = history;
  // A navigation out of a sheet takes the place of its entry.
  history.pushState = (...to) => navigate(() => (isMarked() ? replaceState : pushState).apply(history, to));
  history.replaceState = (...to) => navigate(() => replaceState.apply(history, to));
}

/**
 * Lets Back close an open sheet instead of leaving the screen: while one is open, the screen has a second entry with the same
 * address. The router notices neither of the two steps.
 * @returns what to call when it is closed
 */
export function closeOnBack(close: () => void): () => void {
  followHistory();
  openSheets.push(close);
  queueMicrotask(enter);
  return () => {
    openSheets.splice(openSheets.indexOf(close), 1);
    // Another sheet may take its place.
    setTimeout(leave);
  };
}

/** A page that is reloaded with a sheet open begins on the sheet's entry without the sheet: it steps back from it. */
export function leaveStaleEntry(): void {
  if (!isMarked()) return;
  followHistory();
  setTimeout(leave);
}

function enter(): void {
  if (openSheets.length === 0) return;
  coveredHref = location.href;
  if (isMarked()) return;
  // The prototype's own, since the router replaces the instance's to learn of navigations.
  History.prototype.pushState.call(history, { ...history.state, [MARK]: true }, "");
}

function leave(): void {
  if (isLeaving || openSheets.length > 0 || !isMarked()) return;
  isLeaving = true;
  coveredHref = location.href;
  history.back();
}

function isMarked(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && MARK in state;
}

function navigate(go: () => void): void {
  if (isLeaving) waiting.push(go);
  else go();
}

function onPopState(event: PopStateEvent): void {
  if (isLeaving) {
    isLeaving = false;
    // Beyond the screen beneath, the driver has stepped back too.
    if (location.href === coveredHref) event.stopImmediatePropagation();
    for (const go of waiting.splice(0)) go();
    // One may have been opened in the meantime.
    enter();
    return;
  }
  // Back or forward to an entry whose sheet is closed: the screen beneath it is meant.
  if (isMarked()) {
    setTimeout(leave);
    return;
  }
  const close = openSheets.at(-1);
  // A step of several entries leaves the screen, as the router sees to.
  if (!close || location.href !== coveredHref) return;
  event.stopImmediatePropagation();
  close();
  // Another one may be beneath it.
  setTimeout(enter);
}
