import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Plugin } from "vite";

/**
 * Lets `npx wrangler deploy` in the project's root deploy what was built. Wrangler follows a redirect that lies beside the
 * settings that it finds, and the Cloudflare plugin writes its own below the root of the page.
 * @param redirect the file that Wrangler looks for
 * @param built the settings that the build writes
 */
export function deployRedirect({ redirect, built }: { redirect: string; built: string }): Plugin {
  return {
    name: "deploy-redirect",
    apply: "build",
    buildApp: {
      order: "post",
      handler: async () => {
        const folder = dirname(redirect);
        mkdirSync(folder, { recursive: true });
        writeFileSync(redirect, JSON.stringify({ configPath: relative(folder, built) }));
      },
    },
  };
}
