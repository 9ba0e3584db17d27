import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";
import { bundling } from "./chunks.ts";
import { InlineAssets } from "./inline-assets.ts";
import { HOME_REST, WAKE_META } from "../early/page-root.ts";
import { pageHead } from "./page-head.ts";
import { MESSAGE_GROUPS } from "../early/message-texts.ts";
import { buildMessageTexts } from "./message-texts.ts";
import type { PrerenderedPage, prerenderPages as Prerender } from "../prerender/prerender.tsx";
import { LANGUAGES, type Language } from "../../db/shapes/language.ts";

const ENVIRONMENT = "prerender";
const TEMPLATE = "index.html";
/** The template's own scripts, and what Vite preloads for them. */
const SCRIPTS = /\s*<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g;
const MAIN = "/web/page/main.tsx";
/** Sends a driver's first calls; it waits for no other file. */
const EARLY = "/web/early/early-calls.ts";
/** The screen whose messages stand apart: what a driver opens the page for. */
const FIRST_SCREEN = { path: "/flex/dashboard" };
const OUT_DIR = resolve(import.meta.dirname, "../../.cache/prerender");

const WEB = resolve(import.meta.dirname, "..");

/**
 * Renders each route's page in each language and puts it into the build as `pages/<language>/<path>.html`, with what
 * its first screen needs named in the head, so that nothing is found one after the other.
 */
export function prerenderedPages(): Plugin {
  return {
    name: "prerendered-pages",
    apply: "build",
    enforce: "post",
    config: () => ({
      environments: {
        client: { build: { rolldownOptions: bundling } },
        [ENVIRONMENT]: {
          consumer: "server",
          build: {
            outDir: OUT_DIR,
            emptyOutDir: true,
            copyPublicDir: false,
            minify: false,
            rolldownOptions: {
              input: resolve(import.meta.dirname, "../prerender/prerender.tsx"),
              output: { codeSplitting: false, entryFileNames: "prerender.mjs" },
            },
          },
        },
      },
    }),
    buildApp: {
      order: "pre",
      async handler({ build, environments }) {
        const environment = environments[ENVIRONMENT];
        if (!environment) throw new Error("the pages can't be rendered: their environment is missing");
        await build(environment);
      },
    },
    applyToEnvironment: ({ name }) => name === "client",
    async generateBundle(_options, bundle) {
      const template = bundle[TEMPLATE];
      if (template?.type !== "asset") return;
      delete bundle[TEMPLATE];
      const messageTexts = await buildMessageTexts(bundle, {
        firstChunks: new Set([fileWith(MAIN, bundle), ...chunksOf(FIRST_SCREEN, bundle)]),
        homeChunks: new Set(Object.keys(bundle).filter((file) => file.startsWith(`assets/${HOME_REST}-`))),
      });
      const messages = messageTexts.map((file) =>
        this.getFileName(this.emitFile({ type: "asset", name: `${file.name}.js`, source: file.source })),
      );
      const inline = new InlineAssets((fileName) => readAsset(fileName, bundle), {
        publicScript: await buildPublicScript(),
      });
      for (const language of LANGUAGES) {
        for (const page of await renderPages(language)) {
          this.emitFile({
            type: "asset",
            fileName: join("pages", language, fileNameOf(page.path)),
            source: await fillIn(String(template.source), { language, page, bundle, messages, inline }),
          });
        }
      }
      this.emitFile({ type: "asset", fileName: "_headers", source: inline.headers() });
    },
  };
}

async function renderPages(language: Language): Promise<PrerenderedPage[]> {
  const url = pathToFileURL(join(OUT_DIR, "prerender.mjs")).href;
  const { prerenderPages }: { prerenderPages: typeof Prerender } = await import(url);
  return prerenderPages(language);
}

/** `/flex/receipts/$payment` is `flex/receipts/$.html`, which the Worker finds without knowing the parameter's name. */
function fileNameOf(path: string | null): string {
  if (path === null) return "404.html";
  return `${path === "/" ? "index" : path.slice(1).replace(/\$[^/]*$/, "$")}.html`;
}

/** The files that a page's first screen needs, beside its entry. */
function chunksOf({ path }: Pick<PrerenderedPage, "path">, bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const needed = new Set<string>();
  const add = (fileName: string) => {
    if (needed.has(fileName)) return;
    needed.add(fileName);
    const chunk = bundle[fileName];
    if (chunk?.type === "chunk") chunk.imports.forEach(add);
  };
  for (const { moduleIds, fileName } of chunks) {
    if (moduleIds.some((id) => isNeeded(id, path))) add(fileName);
  }
  return [...needed];
}

/** The files of messages that a page's first screen needs. */
function messagesOf({ path }: PrerenderedPage, language: Language, messages: readonly string[]): string[] {
  const groups = path === FIRST_SCREEN.path ? ["first"] : MESSAGE_GROUPS;
  return messages.filter((file) => groups.some((group) => file.includes(`/messages-${language}-${group}-`)));
}

/** Whether a module starts a chunk of the screen: the page itself, or a route on the way to the path. */
function isNeeded(id: string, path: string | null): boolean {
  if (id.endsWith(MAIN)) return true;
  const file = /\/web\/routes\/(.+)\.tsx\?tsr-split=component/.exec(id)?.[1];
  if (file === undefined || path === null) return false;
  const route = `/${file.replaceAll(".", "/")}`.replace(/\/(?:route|index)$/, "") || "/";
  return path === route || (file.endsWith("/route") && path.startsWith(`${route}/`));
}

async function fillIn(
  template: string,
  {
    language,
    page,
    bundle,
    messages,
    inline,
  }: {
    language: Language;
    page: PrerenderedPage;
    bundle: Rolldown.OutputBundle;
    messages: readonly string[];
    inline: InlineAssets;
  },
): Promise<string> {
  const { html, painted } = page;
  const isDrivers = page.path?.startsWith("/flex") ?? false;
  const isWokenLater = painted === "asleep" || painted === "form";
  const early = fileWith(EARLY, bundle);
  const main = fileWith(MAIN, bundle);
  const needed = [
    ...new Set([...messagesOf(page, language, messages), early, ...chunksOf(page, bundle)]),
  ].filter((file) => !isWokenLater || file !== main);
  const script = (file: string, attributes = "") =>
    `<script type="module"${attributes} crossorigin src="/${file}"></script>`;
  const head = [
    ...pageHead(page, language),
    `<meta name="messages" content="${messages.map((file) => `/${file}`).join(" ")}" />`,
    // Before the scripts, the first of which reads it.
    ...(isWokenLater
      ? [
          `<meta name="${WAKE_META}" content="${[main, ...needed, inline.stylesheet(template)].map((file) => `/${file}`).join(" ")}" />`,
          inline.publicScript(),
        ]
      : [
          ...needed.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`),
          ...(isDrivers ? [script(early, " async")] : []),
          script(main),
        ]),
  ];
  const filled = inline
    .inlineTheme(template)
    .replaceAll(SCRIPTS, "")
    .replace(/<html lang="[^"]*"/, `<html lang="${language}"`)
    .replace(' translate="no"', page.isPublic ? "" : ' translate="no"')
    .replace(/<title>[^<]*<\/title>/, () => head.join("\n    "))
    .replace('<div id="root"></div>', () => `<div id="root" data-painted="${painted}">${html}</div>`);
  return isWokenLater ? inline.inlineStyles(filled) : filled;
}

/** The file that runs a module when it is loaded. */
function fileWith(module: string, bundle: Rolldown.OutputBundle): string {
  const file = Object.values(bundle).find(
    (chunk) => chunk.type === "chunk" && chunk.moduleIds.some((id) => id.endsWith(module)),
  );
  if (!file) throw new Error(`the build has no ${module}`);
  return file.fileName;
}

function readAsset(fileName: string, bundle: Rolldown.OutputBundle): string {
  const file = bundle[fileName];
  if (file?.type !== "asset") throw new Error(`the build has no ${fileName}`);
  return typeof file.source === "string" ? file.source : new TextDecoder().decode(file.source);
}

/** Builds what a public page runs before it comes to life: one script without imports, which stands in its HTML. */
async function buildPublicScript(): Promise<string> {
  const built = await build({
    configFile: false,
    root: WEB,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: "early/public-page.ts", output: { format: "es", codeSplitting: false } },
    },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk?.type !== "chunk") throw new Error("the public pages' script was not built");
  return chunk.code.trim();
}
