import type { Context } from "hono";
import type { Language } from "../../../db/shapes/language.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import type { AppEnv } from "../app-env.ts";
import { requestLanguage } from "./request-language.ts";

/** The dark theme's background, around the icon while the app opens. */
const BACKGROUND_COLOR = "#1b1e22";

/** The web app manifest, with the deployment's product name, in the device's language. */
export function serveManifest(c: Context<AppEnv>): Response {
  const { productName } = c.var.deps.config;
  const language = requestLanguage(c);
  return c.json(
    {
      id: "/",
      name: productName,
      short_name: productName,
      description: formatMessage(language, "manifest_text"),
      lang: language,
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
      shortcuts: [
        { name: formatMessage(language, "nav_home"), url: "/flex/dashboard" },
        { name: formatMessage(language, "nav_filters"), url: "/flex/filters" },
        { name: formatMessage(language, "arrived_button"), url: "/flex/dashboard#arrived" },
      ],
      screenshots: [
        ...["dashboard", "blocks", "filters"].map((screen) => picture(screen, "phone", language)),
        picture("dashboard", "desk", language),
      ],
    },
    200,
    { "content-type": "application/manifest+json", "cache-control": "private, max-age=3600" },
  );
}

/** Of those that `npm run pictures` takes. */
function picture(screen: string, device: "phone" | "desk", language: Language) {
  return {
    src: `/pictures/${screen}-${device}-${language}.webp`,
    sizes: device === "phone" ? "780x1688" : "1280x800",
    type: "image/webp",
    form_factor: device === "phone" ? "narrow" : "wide",
  };
}
