/** How to close each open sheet, the topmost last. */
const openSheets: (() => void)[] = [];

/** Marks the history entry of a screen with a sheet over it. */
const MARK = "jornada-sheet";

/** A navigation out of a sheet has made its own entry by then. */
const LEAVE_AFTER_MS = 50;

/** The address of the screen beneath. */
let coveredHref = "";
let isListening = false;
/** Our own step back, from a marked entry whose sheet was closed. */
let isLeaving = false;

/**
 * Lets Back close an open sheet instead of leaving the screen: while one is open, the screen has a second entry with the same
 * address. The router notices neither of the two steps.
 * @returns what to call when it is closed
 */
export function closeOnBack(close: () => void): () => void {
  listen();
  openSheets.push(close);
  queueMicrotask(enter);
  return () => {
    openSheets.splice(openSheets.indexOf(close), 1);
    setTimeout(leave, LEAVE_AFTER_MS);
  };
}

/** A page that is reloaded with a sheet open begins on the sheet's entry without the sheet: it steps back from it. */
export function leaveStaleEntry(): void {
  if (!isMarked()) return;
  listen();
  setTimeout(leave, LEAVE_AFTER_MS);
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
  history.back();
}

function isMarked(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && MARK in state;
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  window.addEventListener("popstate", onPopState, { capture: true });
}

function onPopState(event: PopStateEvent): void {
  if (isLeaving) {
    isLeaving = false;
    event.stopImmediatePropagation();
    // One may have been opened in the meantime.
    enter();
    return;
  }
  // Back or forward to an entry whose sheet is closed: the screen beneath it is meant.
  if (isMarked()) {
    setTimeout(leave, LEAVE_AFTER_MS);
    return;
  }
  const close = openSheets.at(-1);
  // A step of several entries leaves the screen, as the router sees to.
  if (!close || location.href !== coveredHref) return;
  event.stopImmediatePropagation();
  close();
  // Another one may be beneath it.
  setTimeout(enter, LEAVE_AFTER_MS);
}
