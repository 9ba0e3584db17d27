import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { minifySync } from "vite";
import { LATE_FONTS_ID } from "../early/page-root.ts";
import { stylesFor } from "./first-styles.ts";

const PUBLIC = resolve(import.meta.dirname, "../public");
const THEME = '<script src="/theme.js"></script>';
const STYLESHEET = /<link rel="stylesheet"[^>]* href="\/(assets\/app-[^"]+\.css)">/;
const FONT_PRELOADS = /\s*<link rel="preload" as="font"[^>]*>/g;
/** Never applied: the page's script reads them. */
const LATE_FONTS = ` id="${LATE_FONTS_ID}" media="not all"`;
const LOADED_FONTS = /@font-face\{[^}]*url\([^}]*\}/g;

/**
 * Puts into pages what their first paint would otherwise wait for, and knows by hash what their policy has to allow for that.
 */
export class InlineAssets {
  readonly #themeScript = minifySync("theme.js", readFileSync(`${PUBLIC}/theme.js`, "utf8")).code.trim();
  readonly #styles = new Set<string>();
  readonly #publicScript: string;

  readonly #readAsset: (fileName: string) => string;

  /** @param readAsset a file of the build */
  constructor(readAsset: (fileName: string) => string, { publicScript }: { publicScript: string }) {
    this.#readAsset = readAsset;
    this.#publicScript = publicScript;
  }

  /** Code that waits for a visitor's first move. As a file it would be fetched before the paint. */
  publicScript(): string {
    return `<script type="module">${this.#publicScript}</script>`;
  }

  /** Sets the theme before anything is painted. */
  inlineTheme(html: string): string {
    if (!html.includes(THEME)) throw new Error("the page no longer sets its theme as it did");
    return html.replace(THEME, () => `<script>${this.#themeScript}</script>`);
  }

  /** The file of the whole stylesheet, which the template names. */
  stylesheet(html: string): string {
    const file = STYLESHEET.exec(html)?.[1];
    if (file === undefined) throw new Error("the page no longer names its styles as it did");
    return file;
  }

  /**
   * For a page that needs no other screen's styles until it wakes, which brings the whole stylesheet along. It is painted in a
   * font of the device, and its script asks for ours after that.
   */
  async inlineStyles(html: string): Promise<string> {
    const styles = await stylesFor(html, this.#readAsset(this.stylesheet(html)));
    const fonts = (styles.match(LOADED_FONTS) ?? []).join("");
    const inlined = this.#inline(styles.replaceAll(LOADED_FONTS, "")) + this.#inline(fonts, LATE_FONTS);
    return html.replace(STYLESHEET, () => inlined).replaceAll(FONT_PRELOADS, "");
  }

  #inline(styles: string, attributes = ""): string {
    this.#styles.add(styles);
    return `<style${attributes}>${styles}</style>`;
  }

  /** The pages' headers, whose policy allows exactly what is inline. */
  headers(): string {
    return readFileSync(`${PUBLIC}/_headers`, "utf8")
      .replace("script-src 'self'", `$& ${hashOf(this.#themeScript)} ${hashOf(this.#publicScript)}`)
      .replace("style-src 'self'", ["$&", ...[...this.#styles].map(hashOf)].join(" "));
  }
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
