import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { build, type Plugin } from "vite";

const WEB = resolve(import.meta.dirname, "..");

/** Builds the service worker as one file without a hash in its name, with the build's name and the names of its files inside. */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    async generateBundle(_options, bundle) {
      const files = Object.keys(bundle).toSorted();
      const name = createHash("sha256").update(files.join()).digest("hex").slice(0, 12);
      const assets = files.filter((file) => file.startsWith("assets/")).map((file) => `/${file}`);
      const built = await build({
        configFile: false,
        root: WEB,
        logLevel: "warn",
        publicDir: false,
        define: { BUILD: JSON.stringify(name), ASSETS: JSON.stringify(assets) },
        build: {
          write: false,
          rolldownOptions: { input: "service-worker/sw.ts", output: { format: "iife" } },
        },
      });
      const [chunk] = "output" in built ? built.output : [];
      if (chunk?.type !== "chunk") throw new Error("the service worker was not built");
      this.emitFile({ type: "asset", fileName: "sw.js", source: chunk.code });
    },
  };
}
