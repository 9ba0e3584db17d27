import type { Context } from "hono";
import type { App } from "./context.ts";

/** The asphalt of the page in the dark: what surrounds the sign while the page opens. */
const ASPHALT = "#1b1e22";

/** What a device needs to install the page as an app, under this deployment's own name. */
export function manifest(c: Context<App>): Response {
  const { productName } = c.var.deps.config;
  return c.json(
    {
      id: "/",
      name: productName,
      short_name: productName,
      start_url: "/flex/dashboard",
      scope: "/",
      display: "standalone",
      background_color: ASPHALT,
      theme_color: ASPHALT,
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
