import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/** The asphalt of the page in the dark: what surrounds the sign while the page opens. */
const BACKGROUND_COLOR = "#1b1e22";

/** What a device needs to install the page as an app, under this deployment's own name. */
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
