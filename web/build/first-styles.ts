import { preprocessCSS, resolveConfig, type ResolvedConfig } from "vite";

/** The styles' pretty form, for people. */
const COMMENTS = /\/\*.*?\*\//gs;
const LINE_BREAKS = /\n\s*/g;
const SPACES = /(?<=[;{][\w-]+:) | (?=\{)/g;
const KEYFRAMES = /@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\}/g;
const PROPERTY_RULE = /@property (--[\w-]+)\{[^{}]*\}/g;
const DECLARATION = /(?<=[{;])(--[\w-]+):[^;{}]*(?:;|(?=\}))/g;
const CLASSES = /\bclass="([^"]*)"/g;
const ELEMENTS = /<([a-z][\w-]*)/g;

/** The subjects of rules: the elements of a page, and their classes. */
type Parts = { classes: ReadonlySet<string>; elements: ReadonlySet<string> };

/** Of a stylesheet, the rules that a page can meet before its code runs. */
export async function stylesFor(html: string, stylesheet: string): Promise<string> {
  const parts: Parts = {
    classes: new Set([...html.matchAll(CLASSES)].flatMap(([, names = ""]) => unescape(names).split(/\s+/))),
    elements: new Set([...html.matchAll(ELEMENTS)].map(([, name = ""]) => name)),
  };
  const key = [...parts.classes, ...parts.elements].toSorted().join(" ");
  const known = cache.get(key);
  if (known !== undefined) return known;
  const { code } = await preprocessCSS(stylesheet, "first.css", await configFor(parts));
  const styles = withoutUnread([COMMENTS, LINE_BREAKS, SPACES].reduce(without, code), html);
  cache.set(key, styles);
  return styles;
}

const without = (code: string, part: RegExp) => code.replaceAll(part, "");

/**
 * Without what nothing reads: custom properties, which are most of a theme and of what the whole stylesheet's rules would
 * need, and animations.
 */
function withoutUnread(code: string, html: string): string {
  const isRead = (name: string) => [code, html].some((text) => text.includes(`var(${name}`));
  const isPlayed = (name: string) => new RegExp(`animation[^;{}]*\\b${name}\\b`).test(code);
  return code
    .replaceAll(KEYFRAMES, (rule, name: string) => (isPlayed(name) ? rule : ""))
    .replaceAll(PROPERTY_RULE, (rule, name: string) => (isRead(name) ? rule : ""))
    .replaceAll(DECLARATION, (declaration, name: string) => (isRead(name) ? declaration : ""));
}

/** By what is on the page, which doesn't depend on its language. */
const cache = new Map<string, string>();

function configFor(parts: Parts): Promise<ResolvedConfig> {
  return resolveConfig(
    {
      configFile: false,
      logLevel: "warn",
      css: {
        transformer: "lightningcss",
        lightningcss: {
          visitor: {
            Rule: {
              style({ value: { selectors } }) {
                return selectors.some((selector) => canMatch(selector, parts)) ? undefined : [];
              },
            },
          },
        },
      },
    },
    "build",
    "production",
  );
}

/** The parts of a selector, as far as it can name classes and elements. */
type Component = { type: string; name?: unknown; kind?: string; selectors?: Selectors | null };
type Selectors = readonly (Component | readonly Component[])[];

/** Whether nothing that the selector asks for is missing. Excluded ones may match. */
function canMatch(selector: readonly Component[], parts: Parts): boolean {
  return selector.every(({ type, kind, name, selectors }) => {
    if (type === "class") return typeof name === "string" && parts.classes.has(name);
    if (type === "type") return typeof name === "string" && parts.elements.has(name);
    if (type !== "pseudo-class" || (kind !== "is" && kind !== "where")) return true;
    return selectors?.some((inner) => canMatch("type" in inner ? [inner] : inner, parts)) ?? true;
  });
}

function unescape(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
