/** Code that runs inside the page. Each function is sent there as text, so that it uses nothing from outside itself. */

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
  // As soon as there is an element to set it on: a page that is painted from HTML must not be seen at another size first.
  resize();
  new MutationObserver(resize).observe(document, { childList: true });
}

/** The sum of the shifts so far, and what moved most. */
export function readShift(): { sum: number; worst: string } {
  const { layoutShifts } = globalThis as unknown as {
    layoutShifts: { value: number; nodes: string[] }[];
  };
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

/** How far the page scrolls sideways, texts wider than their box, and targets that are too small for a thumb. */
export function measure({ least }: { least: number }): { problems: string[] } {
  const describe = (element: Element) =>
    `<${element.nodeName.toLowerCase()}> "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}"`;
  const problems: string[] = [];
  // The innermost that stand out: their ancestors only grow with them.
  const standingOut = (root: Element, right: number) => {
    const wide = [...root.querySelectorAll("*")].filter(
      (element) => !element.closest(".sr-only") && element.getBoundingClientRect().right > right + 1,
    );
    return wide
      .filter((element) => !wide.some((other) => other !== element && element.contains(other)))
      .map(describe)
      .slice(0, 2)
      .join(", ");
  };
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth)
    problems.push(`overflows by ${scrollWidth - clientWidth} px: ${standingOut(document.body, clientWidth)}`);
  // On a page that is shorter than the window.
  const footer = document.querySelector("footer")?.getBoundingClientRect();
  const { scrollHeight, clientHeight } = document.documentElement;
  if (footer && scrollHeight <= clientHeight && footer.bottom < clientHeight - 1)
    problems.push(`the footer ends ${Math.round(clientHeight - footer.bottom)} px above the foot`);
  const sheet = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (sheet && sheet.scrollWidth > sheet.clientWidth)
    problems.push(
      `the sheet scrolls sideways by ${sheet.scrollWidth - sheet.clientWidth} px: ${standingOut(sheet, sheet.getBoundingClientRect().right - 1)}`,
    );
  const isShown = (element: Element) => {
    const box = element.getBoundingClientRect();
    // Text for screen readers alone is clipped to a pixel.
    return box.width > 2 && box.height > 2 && element.checkVisibility({ visibilityProperty: true });
  };
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
