/** Puts the focus on the screen's heading, from where the next Tab goes on. A field of the screen that has it keeps it. */
export function focusHeading(): void {
  const content = document.getElementById("content");
  if (!content || content.contains(document.activeElement?.closest("input, textarea, select") ?? null))
    return;
  const heading = content.querySelector("h1");
  if (!heading) return content.focus({ preventScroll: true });
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
