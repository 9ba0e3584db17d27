import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/** The dark theme's background, around the icon while the app opens. */
const BACKGROUND_COLOR = "#1b1e22";

/** The web app manifest, with the deployment's product name. */
export function serveManifest(c: Context<AppEnv>): Response {
  const { productName } = c.var.deps.config;
  return c.json(
    {
      id: "/",
      name: productName,
      short_name: productName,
      start_url: "/flex/dashboard",
      scope: "/",
      display: "standalone",
      background_color: BACKGROUND_COLOR,
      theme_color: BACKGROUND_COLOR,
      icons: [
        { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
        { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
        { src: "/icons/maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      ],
    },
    200,
    { "content-type": "application/manifest+json", "cache-control": "public, max-age=3600" },
  );
}
