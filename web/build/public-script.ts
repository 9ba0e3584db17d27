import { resolve } from "node:path";
import { build } from "vite";

const WEB = resolve(import.meta.dirname, "..");

/** Builds what a public page runs before it comes to life: one script without imports, which stands in its HTML. */
export async function buildPublicScript(): Promise<string> {
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
