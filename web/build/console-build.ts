import { resolve } from "node:path";
import { build, type Plugin, type PluginOption } from "vite";

const WEB = resolve(import.meta.dirname, "..");

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
