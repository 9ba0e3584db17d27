import { LATE_FONTS_ID } from "./page-root.ts";

/** Browsers count no smaller move. */
const LEAST_MOVE_PX = 3;

/**
 * Loads our fonts, and uses them as soon as nothing that is seen moves by that: at once in most cases, else once the visitor
 * has pressed something or looks elsewhere. Leaves out a font that can't be loaded.
 */
export async function bringFonts(): Promise<void> {
  const named = lateFaces();
  await Promise.allSettled(named.map((face) => face.load()));
  const faces = named.filter(({ status }) => status === "loaded");
  const before = seenTops();
  use(faces);
  if (!hasMoved(before)) return;
  for (const face of faces) document.fonts.delete(face);
  const later = new AbortController();
  const useNow = () => {
    later.abort();
    use(faces);
  };
  // After the press: what is pressed stays where it is until then.
  addEventListener("click", () => setTimeout(useNow), { capture: true, signal: later.signal });
  addEventListener("keyup", () => setTimeout(useNow), { capture: true, signal: later.signal });
  document.addEventListener("visibilitychange", useNow, { signal: later.signal });
}

function use(faces: readonly FontFace[]): void {
  for (const face of faces) document.fonts.add(face);
}

/** The fonts that the page's styles name without asking for them. */
function lateFaces(): FontFace[] {
  const style = document.getElementById(LATE_FONTS_ID);
  const rules = style instanceof HTMLStyleElement ? [...(style.sheet?.cssRules ?? [])] : [];
  return rules.flatMap((rule) => {
    if (!(rule instanceof CSSFontFaceRule)) return [];
    const valueOf = (name: string) => rule.style.getPropertyValue(name);
    const descriptors = { weight: valueOf("font-weight"), style: valueOf("font-style") };
    return [new FontFace(valueOf("font-family").replaceAll(/["']/g, ""), valueOf("src"), descriptors)];
  });
}

/** Where everything stands that is seen now. */
function seenTops(): Map<Element, number> {
  return new Map(
    [...document.body.querySelectorAll("*")].flatMap((element) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      return height > 0 && bottom > 0 && top < innerHeight ? [[element, top] as const] : [];
    }),
  );
}

function hasMoved(before: ReadonlyMap<Element, number>): boolean {
  return [...before].some(
    ([element, top]) => Math.abs(element.getBoundingClientRect().top - top) >= LEAST_MOVE_PX,
  );
}

/** Takes out of a stylesheet the fonts that come late: as its rules they would be used wherever they move things. */
export function withoutFonts({ sheet }: HTMLLinkElement): void {
  if (!sheet) return;
  for (let index = sheet.cssRules.length - 1; index >= 0; index--) {
    const rule = sheet.cssRules[index];
    if (rule instanceof CSSFontFaceRule && rule.style.getPropertyValue("src").includes("url("))
      sheet.deleteRule(index);
  }
}
