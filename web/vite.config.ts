import { cloudflare } from "@cloudflare/vite-plugin";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { CONSOLE_MESSAGES, DRIVER_MESSAGES, ROUTE_FILES } from "./build/generated-sources.ts";
import { prerenderedPages } from "./build/prerendered-pages.ts";
import { serviceWorker, consoleBuild } from "./build/side-builds.ts";
import { declaredMessages } from "./build/message-declarations.ts";
import { messagesByNumber } from "./build/message-texts.ts";
import { modulesOfApp, withoutUnusedShapes } from "./build/chunks.ts";
import { BUILD_TARGET } from "./build/oldest-browsers.ts";
import { smallModules } from "./build/small-modules.ts";

export default defineConfig(({ command, mode }) => ({
  root: import.meta.dirname,
  build: { outDir: "../dist", emptyOutDir: true, target: BUILD_TARGET },
  // The identity library was written for bundlers that give a `global`.
  define: { global: "globalThis" },
  server: { fs: { allow: [".."] } },
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      // A loader is in its screen's chunk. The fallback while that loads, or if it can't be loaded, is in the page's
      // first chunk: the screen's own may be missing.
      codeSplittingOptions: { defaultBehavior: [["component", "loader"], ["notFoundComponent"]] },
      ...ROUTE_FILES,
    }),
    react(),
    tailwindcss(),
    paraglideVitePlugin(DRIVER_MESSAGES),
    declaredMessages(DRIVER_MESSAGES),
    messagesByNumber(),
    modulesOfApp(),
    withoutUnusedShapes(),
    smallModules(),
    prerenderedPages(),
    preloadFont(),
    toasterWithoutStyles(),
    serviceWorker(),
    command === "serve" ? paraglideVitePlugin(CONSOLE_MESSAGES) : consoleBuild(consolePlugins),
    ...(command === "serve" || mode === "sandbox" ? [sandboxStripe()] : []),
    cloudflare(command === "serve" || mode === "sandbox" ? withSandbox : { configPath: "../wrangler.toml" }),
    withoutDevVars(),
    ...(mode === "sandbox" ? [] : [deployRedirect(DEPLOY)]),
  ],
}));

const DEPLOY = {
  redirect: `${import.meta.dirname}/../.wrangler/deploy/config.json`,
  built: `${import.meta.dirname}/../dist/jornada/wrangler.json`,
};

/** The console's build settings, apart from the drivers' page. */
function consolePlugins() {
  return [
    react(),
    tailwindcss(),
    paraglideVitePlugin(CONSOLE_MESSAGES),
    declaredMessages(CONSOLE_MESSAGES),
    toasterWithoutStyles(),
  ];
}

/** The sandbox as an auxiliary Worker, in development and tests. A production build has no trace of it. */
const withSandbox: Parameters<typeof cloudflare>[0] = {
  configPath: "../wrangler.toml",
  persistState: { path: "../.wrangler/state" },
  config: { services: [{ binding: "SANDBOX", service: "jornada-sandbox" }] },
  auxiliaryWorkers: [{ configPath: "../test/sandbox/wrangler.toml" }],
};

/** Adds the sandbox's Stripe script to the page, where the loader of Stripe's library finds it. The console pays nothing. */
function sandboxStripe(): Plugin {
  return {
    name: "sandbox-stripe",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { filename }) =>
        filename.endsWith("ops.html")
          ? []
          : [{ tag: "script", attrs: { src: "/sandbox/stripe.js" }, injectTo: "head-prepend" }],
    },
  };
}

/**
 * Takes the inline style element out of the toaster, which the Content-Security-Policy forbids. `ui/toaster.tsx`
 * imports the same styles as a file.
 */
function toasterWithoutStyles(): Plugin {
  return {
    name: "toaster-without-styles",
    enforce: "pre",
    transform: {
      filter: { id: /\/sonner\/dist\/index\.mjs$/ },
      handler(code) {
        const stripped = code.replace(/^__insertCSS\(".*"\);$/m, "");
        if (stripped === code) throw new Error("the toaster's styles are no longer where they were");
        return { code: stripped, map: null };
      },
    },
  };
}

/** Keeps local secrets out of the build, where the Cloudflare plugin copies them for its preview server. */
function withoutDevVars(): Plugin {
  return {
    name: "without-dev-vars",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        delete bundle[".dev.vars"];
      },
    },
  };
}

/** Preloads the fonts, which the browser would otherwise find only in the stylesheet. */
function preloadFont(): Plugin {
  return {
    name: "preload-font",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          // The console's files are its own.
          .filter((file) => file.startsWith("assets/") && file.endsWith(".woff2"))
          .map((file) => ({
            tag: "link",
            attrs: {
              rel: "preload",
              as: "font",
              type: "font/woff2",
              href: `/${file}`,
              crossorigin: "",
              // Behind what is painted first, which a font of the device can begin.
              fetchpriority: "low",
            },
            injectTo: "head-prepend",
          })),
    },
  };
}

/**
 * Lets `npx wrangler deploy` in the project's root deploy what was built. Wrangler follows a redirect that lies beside the
 * settings that it finds, and the Cloudflare plugin writes its own below the root of the page.
 * @param redirect the file that Wrangler looks for
 * @param built the settings that the build writes
 */
function deployRedirect({ redirect, built }: { redirect: string; built: string }): Plugin {
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
