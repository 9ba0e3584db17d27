/** Code that runs inside the page. Sent there as text, so that it uses nothing from outside itself. */

/** Siblings that are read in another order than they are seen, and controls that the Tab key reaches in another. */
export function measureOrder(): string[] {
  const describe = (element: Element) =>
    `<${element.nodeName.toLowerCase()}> "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 30)}"`;
  // Layers over the page, and bars at its edge, have no place in its flow.
  const isInFlow = (element: Element) => {
    const { position } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return (
      (position === "static" || position === "relative") &&
      box.width > 1 &&
      box.height > 1 &&
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest("[aria-hidden=true], svg, .sr-only")
    );
  };
  const problems: string[] = [];
  for (const parent of document.querySelectorAll("body, body *")) {
    if (getComputedStyle(parent).display === "inline") continue;
    const children = [...parent.children].filter(isInFlow);
    for (const [index, child] of children.entries()) {
      const before = children[index - 1];
      if (!before) continue;
      const [one, other] = [before.getBoundingClientRect(), child.getBoundingClientRect()];
      const isAbove = other.bottom <= one.top + 1 && other.left < one.right - 1;
      const isLeft = other.right <= one.left + 1 && other.top < one.bottom - 1 && other.bottom > one.top + 1;
      if (isAbove || isLeft) problems.push(`${describe(child)} is seen before ${describe(before)}`);
    }
  }
  for (const element of document.querySelectorAll<HTMLElement>("[tabindex]"))
    if (element.tabIndex > 0) problems.push(`${describe(element)} jumps the line of the Tab key`);
  return problems;
}

/**
 * Buttons in the signal's color beyond the one that a screen may have. A switch that is on has it, too, and is none of
 * them.
 */
export function measureSignals(): string[] {
  const buttons = [...document.querySelectorAll("main .bg-signal:is(a, button):not([role=switch])")];
  const shown = buttons.filter((button) => button.checkVisibility({ visibilityProperty: true }));
  return shown.length > 1
    ? [`${shown.map(({ textContent }) => textContent).join(" and ")} are both lime`]
    : [];
}
