import { resolve } from "node:path";
import type { Plugin } from "vite";
import * as z from "zod";

const WEB = resolve(import.meta.dirname, "..");

/** Modules of libraries of which the page uses a small part, and what stands in their place. */
const SMALL = {
  // React has its own since version 18.
  "use-sync-external-store/shim/with-selector.js":
    'export { useSyncExternalStoreWithSelector } from "use-sync-external-store/with-selector.js";',
  // A browser sends its cookies itself.
  "hono/dist/utils/cookie.js": "export const serialize = () => { throw new Error('calls set no cookies'); };",
} satisfies Readonly<Record<string, string>>;

const ICON = /\/node_modules\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/;

const iconModule = z.object({
  __iconData: z.object({ node: z.array(z.tuple([z.string(), z.record(z.string(), z.string())])) }),
});

/**
 * An icon's shapes alone. Lucide's own module also has its names, a key for each shape, and settings that no screen sets.
 * @returns null for a module of a former name, which only points at another
 */
function smallIcon(module: unknown): string | null {
  const icon = iconModule.safeParse(module);
  if (!icon.success) return null;
  const shapes = icon.data.__iconData.node.map(([tag, { key: _key, ...attributes }]) => [tag, attributes]);
  return [
    `import { createIcon } from "${WEB}/ui/create-icon.ts";`,
    `export default /* @__PURE__ */ createIcon(${JSON.stringify(shapes)});`,
  ].join("\n");
}

/** Leaves out the parts of libraries that the page never uses. */
export function smallModules(): Plugin {
  return {
    name: "small-modules",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client" || name === "prerender",
    load: {
      filter: { id: /\/node_modules\/(?:lucide-react|use-sync-external-store|hono)\// },
      async handler(id) {
        if (ICON.test(id)) return smallIcon(await import(id));
        const place = id.slice(id.lastIndexOf("/node_modules/") + "/node_modules/".length);
        return Object.entries(SMALL).find(([module]) => module === place)?.[1] ?? null;
      },
    },
  };
}
