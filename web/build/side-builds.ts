import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { build, type Plugin, type PluginOption } from "vite";
import { BUILD_TARGET } from "./oldest-browsers.ts";

const WEB = resolve(import.meta.dirname, "..");

/**
 * Builds the service worker as one file without a hash in its name, with the build's name and the names of its files
 * inside.
 */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    // After the messages have files of their own.
    enforce: "post",
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
          target: BUILD_TARGET,
          rolldownOptions: { input: "service-worker/sw.ts", output: { format: "iife" } },
        },
      });
      const [chunk] = "output" in built ? built.output : [];
      if (chunk?.type !== "chunk") throw new Error("the service worker was not built");
      this.emitFile({ type: "asset", fileName: "sw.js", source: chunk.code });
    },
  };
}

/**
 * Builds the operator's console apart from the drivers' page, so that nothing of it is in any file that a driver loads, and
 * the build of their page is the same with it and without. Its files stand under `ops/`, which only the Worker serves.
 * @param plugins made for each build, since plugins keep state
 */
export function consoleBuild(plugins: () => PluginOption[]): Plugin {
  return {
    name: "console",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    async generateBundle() {
      const built = await build({
        configFile: false,
        root: WEB,
        logLevel: "warn",
        publicDir: false,
        plugins: plugins(),
        build: {
          write: false,
          target: BUILD_TARGET,
          assetsDir: "ops/assets",
          rolldownOptions: { input: `${WEB}/ops.html` },
        },
      });
      if (!("output" in built)) throw new Error("the console was not built");
      for (const file of built.output) {
        const source = file.type === "chunk" ? file.code : file.source;
        this.emitFile({ type: "asset", fileName: file.fileName, source });
      }
    },
  };
}
