import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { build, type Plugin } from "vite";
import { languageOf } from "./languages.ts";

const WEB = resolve(import.meta.dirname, "..");

/** What a screen needs to open without a connection. */
const KEPT = /\.(?:js|css|woff2)$/;

/**
 * Builds each language's service worker as one file without a hash in its name, with the build's name and files
 * inside. English is at `/sw.js`, the others at `/sw-<language>.js`.
 */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    applyToEnvironment: ({ name }) => languageOf(name) !== undefined,
    async generateBundle(_options, bundle) {
      const language = languageOf(this.environment.name);
      const files = Object.keys(bundle).toSorted();
      const name = createHash("sha256").update(files.join()).digest("hex").slice(0, 12);
      const kept = files.filter((file) => KEPT.test(file)).map((file) => `/${file}`);
      const built = await build({
        configFile: false,
        root: WEB,
        logLevel: "warn",
        publicDir: false,
        define: { BUILD: JSON.stringify(name), FILES: JSON.stringify(kept) },
        build: {
          write: false,
          rolldownOptions: { input: "service-worker/sw.ts", output: { format: "iife" } },
        },
      });
      const [chunk] = "output" in built ? built.output : [];
      if (chunk?.type !== "chunk") throw new Error("the service worker was not built");
      const fileName = language === "en" ? "sw.js" : `sw-${language}.js`;
      this.emitFile({ type: "asset", fileName, source: chunk.code });
    },
  };
}
