import { resolve } from "node:path";
import type { Plugin } from "vite";

const WEB = resolve(import.meta.dirname, "..");

/** Modules of libraries of which the page uses a small part, and what stands in their place. */
const SMALL = {
  // Takes settings that no screen sets.
  "lucide-react/dist/esm/createLucideIcon.mjs": `export { createIcon as default } from "${WEB}/ui/create-icon.ts";`,
  // React has its own since version 18.
  "use-sync-external-store/shim/with-selector.js":
    'export { useSyncExternalStoreWithSelector } from "use-sync-external-store/with-selector.js";',
  // A browser sends its cookies itself.
  "hono/dist/utils/cookie.js": "export const serialize = () => { throw new Error('calls set no cookies'); };",
} satisfies Readonly<Record<string, string>>;

/** Leaves out the parts of libraries that the page never uses. */
export function smallModules(): Plugin {
  return {
    name: "small-modules",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client" || name === "prerender",
    load: {
      filter: { id: /\/node_modules\/(?:lucide-react|use-sync-external-store|hono)\// },
      handler(id) {
        const place = id.slice(id.lastIndexOf("/node_modules/") + "/node_modules/".length);
        return Object.entries(SMALL).find(([module]) => module === place)?.[1] ?? null;
      },
    },
  };
}
