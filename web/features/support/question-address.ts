/** The address names the answer that was opened last, so that it can be shared. */
export function nameInAddress(id: string, isOpen: boolean): void {
  const url = new URL(location.href);
  if (!isOpen && url.hash !== `#${id}`) return;
  url.hash = isOpen ? id : "";
  // The prototype's own: it is no navigation for the router, which replaces the instance's.
  History.prototype.replaceState.call(history, history.state, "", url);
}
