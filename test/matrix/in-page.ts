/**
 * What runs inside the page. Each function is sent there as text, so that it uses nothing from outside itself.
 */

/** Before the page's own scripts: records shifts, and sets the size of the text. */
export function prepare(textPercent: number): void {
  const shifts: { value: number; nodes: string[] }[] = [];
  Object.assign(globalThis, { layoutShifts: shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node?: Element }[];
    })[])
      if (!entry.hadRecentInput)
        shifts.push({
          value: entry.value,
          nodes: entry.sources.map(
            ({ node }) => `${node?.nodeName ?? ""}.${String(node?.className ?? "").slice(0, 60)}`,
          ),
        });
  }).observe({ type: "layout-shift", buffered: true });
  const resize = () => document.documentElement?.style.setProperty("font-size", `${textPercent}%`);
  resize();
  document.addEventListener("readystatechange", resize);
}

/** The sum of the shifts so far, and what moved most. */
export function readShift(): { sum: number; worst: string } {
  const { layoutShifts } = globalThis as unknown as { layoutShifts: { value: number; nodes: string[] }[] };
  const sum = layoutShifts.reduce((total, { value }) => total + value, 0);
  const worst = layoutShifts.toSorted((one, other) => other.value - one.value)[0];
  return { sum, worst: worst?.nodes.join(" | ") ?? "" };
}

/** Resolves once nothing has changed for a moment, or after the longest wait: a pulse never rests. */
export function settle({ quietMs, longestMs }: { quietMs: number; longestMs: number }): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(resolve, quietMs);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(resolve, quietMs);
    });
    observer.observe(document.body, { subtree: true, childList: true });
    setTimeout(resolve, longestMs);
  });
}

/** How far the page scrolls sideways, words that are broken, and targets that are too small for a thumb. */
export function measure({ least }: { least: number }): { problems: string[] } {
  const describe = (element: Element) =>
    `<${element.nodeName.toLowerCase()}> "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}"`;
  const problems: string[] = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    const widest = [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .map(describe)
      .at(-1);
    problems.push(`overflows by ${scrollWidth - clientWidth} px: ${widest ?? ""}`);
  }
  const isShown = (element: Element) => {
    const box = element.getBoundingClientRect();
    // What only a screen reader reads is clipped to a pixel.
    return box.width > 2 && box.height > 2 && element.checkVisibility({ visibilityProperty: true });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = new Set<string>();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement } = node;
    if (!parentElement || !isShown(parentElement)) continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(/[\p{L}\p{N}$.,:%]{3,}/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      const allowsIt = getComputedStyle(parentElement).overflowWrap === "anywhere";
      if (tops.size > 1 && !allowsIt) broken.add(`breaks "${word}" in ${describe(parentElement)}`);
    }
  }
  problems.push(...broken);
  for (const element of document.querySelectorAll(
    "a, button, label, legend, h1, h2, h3, p, dt, dd, th, td",
  )) {
    if (!isShown(element) || element.closest(".sr-only") || getComputedStyle(element).display === "inline")
      continue;
    // A pixel of a glyph may stand out.
    if (
      element.scrollWidth > element.clientWidth + 2 &&
      getComputedStyle(element).overflowWrap !== "anywhere" &&
      getComputedStyle(element).textOverflow !== "ellipsis"
    )
      problems.push(
        `text wider than its box by ${element.scrollWidth - element.clientWidth} px: ${describe(element)}`,
      );
  }
  if (least > 0) {
    for (const element of document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [role="switch"], [role="slider"]',
    )) {
      if (!isShown(element) || element.matches(".sr-only")) continue;
      // A link inside a sentence is as tall as its line.
      if (getComputedStyle(element).display === "inline") continue;
      const box = (element.closest("label") ?? element).getBoundingClientRect();
      if (box.width < least - 0.5 || box.height < least - 0.5)
        problems.push(`target of ${Math.round(box.width)} × ${Math.round(box.height)}: ${describe(element)}`);
    }
  }
  return { problems };
}
