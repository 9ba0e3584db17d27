import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { bringFonts, withoutFonts } from "../../../web/early/late-fonts.ts";

class FontRule {
  readonly style: { getPropertyValue: (name: string) => string };
  constructor(properties: Record<string, string>) {
    this.style = { getPropertyValue: (name) => properties[name] ?? "" };
  }
}
class StyleElement {
  readonly sheet: { cssRules: readonly object[] };
  constructor(cssRules: readonly object[]) {
    this.sheet = { cssRules };
  }
}

const BROKEN = "Broken Sans";
const ruleOf = (family: string) =>
  new FontRule({
    "font-family": `"${family}"`,
    src: "url(/font.woff2)",
    "font-weight": "400 700",
    "font-style": "italic",
  });
const STYLE = new StyleElement([{}, ruleOf("Text Sans"), ruleOf(BROKEN)]);

class Face {
  status = "unloaded";
  readonly made: readonly unknown[];
  constructor(...made: readonly unknown[]) {
    this.made = made;
  }
  async load(): Promise<void> {
    this.status = this.made[0] === BROKEN ? "error" : "loaded";
    if (this.status === "error") throw new Error("no such file");
  }
}

type Listener = { type: string; listener: () => void; options: AddEventListenerOptions };
let onWindow: Listener[];
let page: EventTarget;
/** The fonts in use, and how often some were put to use. */
let used: Set<Face>;
let uses: number;

/** A heading that stands there, and so much lower in our fonts. */
function showHeading({ top = 100, height = 20, moves = 0 }): void {
  const getBoundingClientRect = () => {
    const at = top + (used.size > 0 ? moves : 0);
    return { top: at, bottom: at + height, height };
  };
  const fonts = {
    add: (face: Face) => {
      uses++;
      used.add(face);
    },
    delete: (face: Face) => used.delete(face),
  };
  const body = { querySelectorAll: () => [{ getBoundingClientRect }] };
  page = Object.assign(new EventTarget(), { getElementById: () => STYLE, body, fonts });
  vi.stubGlobal("document", page);
}

/** The page keeps the event from all that don't hear of it before the page does. */
function happen(type: string): void {
  for (const { type: heard, listener, options } of onWindow)
    if (heard === type && options.capture && !options.signal?.aborted) listener();
}

const inUse = () => [...used].map(({ made: [family] }) => family);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  [onWindow, used, uses] = [[], new Set(), 0];
  vi.stubGlobal("CSSFontFaceRule", FontRule);
  vi.stubGlobal("HTMLStyleElement", StyleElement);
  vi.stubGlobal("FontFace", Face);
  vi.stubGlobal("innerHeight", 800);
  vi.stubGlobal("addEventListener", (type: string, listener: () => void, options: AddEventListenerOptions) =>
    onWindow.push({ type, listener, options }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("uses at once the fonts that its style names and that can be loaded, where they move nothing", async () => {
  showHeading({});
  await bringFonts();
  expect([...used].map(({ made }) => made)).toEqual([
    ["Text Sans", "url(/font.woff2)", { weight: "400 700", style: "italic" }],
  ]);
});

it.each([
  ["by less than is seen", { moves: 2 }],
  ["below the screen", { moves: 3, top: 800 }],
  ["above it", { moves: 3, top: -20 }],
  ["what has no height", { moves: 3, height: 0 }],
])("uses them at once where they move things %s", async (_what, heading) => {
  showHeading(heading);
  await bringFonts();
  expect(inUse()).toEqual(["Text Sans"]);
});

it.each([
  ["in the first line of the screen", { top: -19 }],
  ["in its last", { top: 799 }],
  ["up", { moves: -3 }],
])("waits where they move what is seen %s", async (_what, heading) => {
  showHeading({ moves: 3, ...heading });
  await bringFonts();
  expect(inUse()).toEqual([]);
});

it.each(["click", "keyup"])("uses them after the visitor's %s, even if the page stops it", async (type) => {
  showHeading({ moves: 3 });
  await bringFonts();
  happen(type);
  expect(inUse()).toEqual([]);
  vi.runAllTimers();
  expect(inUse()).toEqual(["Text Sans"]);
});

it("uses them when the visitor looks elsewhere, and listens to nothing afterwards", async () => {
  showHeading({ moves: 3 });
  await bringFonts();
  const before = uses;
  for (const _look of ["away", "back"]) page.dispatchEvent(new Event("visibilitychange"));
  for (const type of ["click", "keyup"]) happen(type);
  vi.runAllTimers();
  expect([inUse(), uses - before]).toEqual([["Text Sans"], 1]);
});

it("does without where the page names no font", async () => {
  showHeading({});
  for (const style of [null, new StyleElement([])]) {
    vi.stubGlobal("document", Object.assign(page, { getElementById: () => style }));
    await bringFonts();
  }
  expect(uses).toBe(0);
});

it("takes out of a stylesheet the fonts that would be fetched, and nothing else", () => {
  const local = new FontRule({ src: "local(Arial)" });
  const cssRules: object[] = [ruleOf("Text Sans"), { own: true }, local, ruleOf(BROKEN)];
  const sheet = { cssRules, deleteRule: (index: number) => void cssRules.splice(index, 1) };
  withoutFonts({ sheet } as unknown as HTMLLinkElement);
  expect(cssRules).toEqual([{ own: true }, local]);
  withoutFonts({ sheet: null } as unknown as HTMLLinkElement);
});
