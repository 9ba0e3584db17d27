import type { Context } from "hono";
import { type Language, LANGUAGES } from "../../../db/shapes/language.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { PUBLIC_PATHS, withLanguage } from "../../contract/page-address.ts";
import type { AppEnv } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";
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

const HEADERS = { "cache-control": "public, max-age=3600" };

/** `/robots.txt`: the public pages are for everybody, what is behind a sign-in for nobody. */
export function serveRobots(c: Context<AppEnv>): Response {
  const { origin } = new URL(c.var.deps.config.publicUrl);
  const closed = ["/flex/", "/status/", "/identity", "/webhooks/", "/arrived", "/undo", "/q"];
  const lines = [
    "User-agent: *",
    ...closed.map((path) => `Disallow: ${path}`),
    `Sitemap: ${origin}/sitemap.xml`,
  ];
  return c.text(`${lines.join("\n")}\n`, 200, HEADERS);
}

/** `/sitemap.xml`: each address of each public page, with its languages (sitemaps.org, Google's `xhtml:link`). */
export function serveSitemap(c: Context<AppEnv>): Response {
  const { origin } = new URL(c.var.deps.config.publicUrl);
  const urls = PUBLIC_PATHS.flatMap((path) => {
    const links = [
      ...LANGUAGES.map((language) => [language, withLanguage(path, language)]),
      ["x-default", path],
    ].map(
      ([language, pathname]) =>
        `<xhtml:link rel="alternate" hreflang="${language}" href="${origin}${pathname}"/>`,
    );
    return [path, ...LANGUAGES.map((language) => withLanguage(path, language))].map(
      (pathname) => `<url><loc>${origin}${pathname}</loc>${links.join("")}</url>`,
    );
  });
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    "</urlset>",
  ];
  return c.body(xml.join("\n"), 200, { ...HEADERS, "content-type": "application/xml; charset=utf-8" });
}

/** RFC 9116 wants less than a year. */
const LIFETIME_MS = 180 * DAY_MS;

/** `/.well-known/security.txt` (RFC 9116): where to report a security problem. */
export function serveSecurityTxt(c: Context<AppEnv>): Response {
  const { config, now } = c.var.deps;
  if (!config.securityContact) throw new ApiError("not_found");
  const day = Math.floor((now() + LIFETIME_MS) / DAY_MS) * DAY_MS;
  const lines = [
    `Contact: ${config.securityContact}`,
    `Expires: ${new Date(day).toISOString()}`,
    "Preferred-Languages: en, es, pt",
    `Canonical: ${config.publicUrl}/.well-known/security.txt`,
  ];
  return c.text(`${lines.join("\n")}\n`, 200, { "cache-control": "public, max-age=86400" });
}
