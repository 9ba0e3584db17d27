import { readFileSync } from "node:fs";
import { createDeps } from "../../../durable/deps.ts";
import {
  serveManifest,
  serveRobots,
  serveSitemap,
  serveSecurityTxt,
} from "../../../worker/http/pages/site-files.ts";
import { servePage } from "../../../worker/http/pages/page.ts";
import { setResponseHeaders } from "../../../worker/http/request-scope.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { appWith } from "../app-with.ts";

export const POLICY = "default-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'";

/** The pages that were built. */
const PAGES = ["index", "terms", "flex/dashboard", "flex/receipts/$", "raffle/$", "arrived", "login", "404"];

/** The policy that the built pages have. */
export const BUILT_POLICY =
  /Content-Security-Policy: (.+)/.exec(
    readFileSync(new URL("../../../web/public/_headers", import.meta.url), "utf8"),
  )?.[1] ?? "";

/** A deployment with these settings, and assets that record their requests. */
export function deployPage(
  settings: Record<string, string>,
  html = "<!doctype html><title>{{product}}</title>",
  policy = POLICY,
  { isBuilt = true, db = {} }: { isBuilt?: boolean; db?: object } = {},
) {
  const asked: string[] = [];
  const assets = {
    fetch: async (url: string) => {
      const { pathname } = new URL(url);
      asked.push(pathname);
      const name = /^\/pages\/(?:en|es|pt)\/(.+)\.html$/.exec(pathname)?.[1];
      const isThere = isBuilt ? name !== undefined && PAGES.includes(name) : pathname === "/index.html";
      if (!isThere) return new Response(null, { status: 404 });
      const headers = {
        "content-security-policy": policy,
        "permissions-policy": "camera=()",
        "referrer-policy": "same-origin",
        etag: '"1"',
      };
      return new Response(html, { headers });
    },
  };
  const env = { ...DEMO_SETTINGS, ...settings, DB: db, DRIVER: {}, ASSETS: assets };
  const deps = createDeps(env);
  const app = appWith({ deps })
    .use(setResponseHeaders)
    .get("/manifest.webmanifest", serveManifest)
    .get("/.well-known/security.txt", serveSecurityTxt)
    .get("/robots.txt", serveRobots)
    .get("/sitemap.xml", serveSitemap)
    .get("/socket", () => socketResponse())
    .get("/cached", (c) => c.text("", 200, { "cache-control": "max-age=5" }))
    .get("*", servePage);
  const get = async (path: string, headers: Record<string, string> = {}) =>
    app.request(`https://jornada.example${path}`, { headers }, env);
  return { asked, get };
}

/** The answer to an upgrade; only the runtime makes one with the status 101. */
function socketResponse(): Response {
  return Object.defineProperty(new Response(null), "webSocket", { value: {} });
}
