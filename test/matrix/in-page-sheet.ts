/** Code that runs inside the page, about the open sheet. Sent there as text, so that it uses nothing from outside itself. */

/** A sheet that stands out of the screen, scrolls sideways or can't be scrolled to its end, and buttons nobody can press. */
export async function measureSheet(): Promise<{ problems: string[] }> {
  const sheets = [...document.querySelectorAll("dialog[open]")];
  const sheet = sheets.at(-1);
  if (!sheet) return { problems: ["no sheet is open"] };
  const problems: string[] = [];
  const box = sheet.getBoundingClientRect();
  const beyond = Math.max(-box.left, -box.top, box.right - innerWidth, box.bottom - innerHeight);
  if (beyond > 1) problems.push(`the sheet stands ${Math.round(beyond)} px out of the screen`);
  if (sheet.scrollHeight > sheet.clientHeight + 1 && getComputedStyle(sheet).overflowY !== "auto")
    problems.push("the sheet is cut and can't be scrolled");
  const controls = sheet.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [role="switch"]',
  );
  for (const control of controls) {
    const shown = control.closest("label") ?? control;
    if (!shown.checkVisibility({ visibilityProperty: true }) || shown.matches(".sr-only")) continue;
    shown.scrollIntoView({ block: "center", behavior: "instant" });
    // A link may go over two lines, whose middle is empty.
    const [target] = shown.getClientRects();
    if (!target || target.width < 2) continue;
    const hit = document.elementFromPoint(target.left + target.width / 2, target.top + target.height / 2);
    if (!hit || !(shown.contains(hit) || hit.contains(shown)) || hit === sheet)
      problems.push(
        `can't be reached: <${control.nodeName.toLowerCase()}> "${(control.getAttribute("aria-label") ?? control.textContent ?? "").trim().slice(0, 40)}"`,
      );
  }
  sheet.scrollTo({ top: 0, behavior: "instant" });
  return { problems };
}
