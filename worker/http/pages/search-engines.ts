import type { Context } from "hono";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import { PUBLIC_PATHS, withLanguage } from "../../contract/page-address.ts";
import type { AppEnv } from "../app-env.ts";

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
