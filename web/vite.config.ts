import { cloudflare } from "@cloudflare/vite-plugin";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

export default defineConfig(({ command, mode }) => ({
  root: import.meta.dirname,
  build: { outDir: "../dist", emptyOutDir: true },
  // The identity library was written for bundlers that give a `global`.
  define: { global: "globalThis" },
  server: { fs: { allow: [".."] } },
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: "./routes",
      generatedRouteTree: "./routeTree.gen.ts",
    }),
    react(),
    tailwindcss(),
    paraglideVitePlugin({
      project: "../locales/project.inlang",
      outdir: "./messages",
      strategy: ["cookie", "preferredLanguage", "baseLocale"],
    }),
    preloadFont(),
    ...(command === "serve" || mode === "sandbox" ? [sandboxStripe()] : []),
    cloudflare(command === "serve" || mode === "sandbox" ? withSandbox : { configPath: "../wrangler.toml" }),
  ],
}));

/** The stand-in for everything outside, beside the main Worker. A production build has no trace of it. */
const withSandbox: Parameters<typeof cloudflare>[0] = {
  configPath: "../wrangler.toml",
  persistState: { path: "../.wrangler/state" },
  config: { services: [{ binding: "SANDBOX", service: "jornada-sandbox" }] },
  auxiliaryWorkers: [{ configPath: "../test/sandbox/wrangler.toml" }],
};

/** The sandbox's Stripe stands in the page before its own code runs: the loader of Stripe's script finds it there. */
function sandboxStripe(): Plugin {
  return {
    name: "sandbox-stripe",
    transformIndexHtml: {
      order: "post",
      handler: () => [{ tag: "script", attrs: { src: "/sandbox/stripe.js" }, injectTo: "head-prepend" }],
    },
  };
}

/** The headings' face is asked for with the page, not after its styles were read. */
function preloadFont(): Plugin {
  return {
    name: "preload-font",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith(".woff2"))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: "" },
            injectTo: "head-prepend",
          })),
    },
  };
}
