/**
 * Translates the page that it is run in as a browser does: puts an element of its own in the place of each text, unless the
 * nearest `translate` attribute above says no, and goes on doing so as the page changes.
 */
export function translatePage(): void {
  const isLeftOut = (element: Element | null) =>
    !element ||
    element.closest("script, style, textarea, noscript, font") !== null ||
    element.closest("[translate]")?.getAttribute("translate") === "no";
  const replace = (text: Node) => {
    if (!text.nodeValue?.trim() || isLeftOut(text.parentElement)) return;
    const outer = document.createElement("font");
    const inner = document.createElement("font");
    inner.textContent = `«${text.nodeValue}»`;
    outer.append(inner);
    text.parentNode?.replaceChild(outer, text);
  };
  const replaceUnder = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) replace(text);
  };
  new MutationObserver((changes) => {
    for (const { addedNodes, target, type } of changes) {
      if (type === "characterData") replace(target);
      for (const node of addedNodes) if (node.isConnected) replaceUnder(node);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  replaceUnder(document.body);
}
