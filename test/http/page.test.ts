import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createDeps } from "../../durable/deps.ts";
import { answerError } from "../../worker/http/answer-error.ts";
import type { AppEnv } from "../../worker/http/app-env.ts";
import { serveManifest } from "../../worker/http/manifest.ts";
import { servePage } from "../../worker/http/page.ts";
import { setResponseHeaders } from "../../worker/http/response-headers.ts";
import { serveRobots, serveSitemap } from "../../worker/http/search-engines.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const POLICY = "default-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'";

/** The pages that were built. */
const PAGES = ["index", "terms", "flex/dashboard", "flex/receipts/$", "arrived", "login", "404"];

/** The policy that the built pages have. */
const BUILT_POLICY =
  /Content-Security-Policy: (.+)/.exec(
    readFileSync(new URL("../../web/public/_headers", import.meta.url), "utf8"),
  )?.[1] ?? "";

/** A deployment with these settings, and assets that note what they were asked for. */
function deploy(
  settings: Record<string, string>,
  html = "<!doctype html><title>{{product}}</title>",
  policy = POLICY,
) {
  const asked: string[] = [];
  const assets = {
    fetch: async (url: string) => {
      const { pathname } = new URL(url);
      asked.push(pathname);
      const name = /^\/pages\/(?:en|es|pt)\/(.+)\.html$/.exec(pathname)?.[1];
      if (name === undefined || !PAGES.includes(name)) return new Response(null, { status: 404 });
      const headers = {
        "content-security-policy": policy,
        "permissions-policy": "camera=()",
        "referrer-policy": "same-origin",
        etag: '"1"',
      };
      return new Response(html, { headers });
    },
  };
  const env = { ...DEMO_SETTINGS, ...settings, DB: {}, DRIVER: {}, ASSETS: assets };
  const deps = createDeps(env);
  const app = new Hono<AppEnv>()
    .use(setResponseHeaders, async (c, next) => {
      c.set("deps", deps);
      await next();
    })
    .onError(answerError)
    .get("/manifest.webmanifest", serveManifest)
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

describe("the page", () => {
  it.each([
    ["/", "/pages/en/index.html"],
    ["/terms", "/pages/en/terms.html"],
    ["/terms/", "/pages/en/terms.html"],
    ["/flex/dashboard?x=1", "/pages/en/flex/dashboard.html"],
    ["/flex/receipts/9f2", "/pages/en/flex/receipts/$.html"],
    ["/es", "/pages/es/index.html"],
    ["/pt/terms", "/pages/pt/terms.html"],
  ])("of %s is %s", async (path, file) => {
    const { asked, get } = deploy({});
    expect((await get(path)).status).toBe(200);
    expect(asked.at(-1)).toBe(file);
  });

  it.each([
    ["what its browser asks for", { "accept-language": "fr, pt-BR;q=0.9, en;q=0.8" }, "pt"],
    ["what was chosen on the device", { "accept-language": "pt", cookie: "PARAGLIDE_LOCALE=es" }, "es"],
    ["English where neither is ours", { "accept-language": "fr", cookie: "PARAGLIDE_LOCALE=xx" }, "en"],
  ])("is in %s", async (_case, headers, language) => {
    const { asked, get } = deploy({});
    const response = await get("/login", headers);
    expect(asked).toEqual([`/pages/${language}/login.html`]);
    expect(response.headers.get("content-language")).toBe(language);
    expect(response.headers.get("vary")).toContain("accept-language, cookie");
  });

  it("is in the language that its address names, whatever the device has", async () => {
    const { headers } = await deploy({}).get("/es", { cookie: "PARAGLIDE_LOCALE=pt" });
    expect(headers.get("content-language")).toBe("es");
  });

  it("names the deployment's product", async () => {
    const response = await deploy({ PRODUCT_NAME: 'Turno & "Co" <b>' }).get("/");
    expect(await response.text()).toBe("<!doctype html><title>Turno &amp; &quot;Co&quot; &lt;b></title>");
    expect(response.headers.get("etag")).toBeNull();
  });

  it("names the product in JSON, the deployment's address, and the plans at the list prices where these can't be read", async () => {
    const html = `<link href="{{origin}}/es" /><script>{"name":"{{product in JSON}}","offers":"{{offers}}"}</script>`;
    const settings = { PRODUCT_NAME: 'Turno "Co" </script>', PUBLIC_URL: "https://turno.example/" };
    const text = await (await deploy(settings, html).get("/")).text();
    expect(text).toContain(`<link href="https://turno.example/es" />`);
    const json = /<script>(.*?)<\/script>/.exec(text)?.[1] ?? "";
    expect(JSON.parse(json)).toEqual({
      name: settings.PRODUCT_NAME,
      offers: Object.entries({
        "3 days": "34.99",
        "7 days": "49.87",
        "14 days": "89.99",
        "30 days": "169.99",
      }).map(([name, price]) => ({
        "@type": "Offer",
        name,
        price,
        priceCurrency: "USD",
        url: "https://turno.example/register",
      })),
    });
  });

  it.each(["/nothing", "/es/login", "/flex/dashboard/more", "/flex/receipts", "/flex/receipts/a/b"])(
    "of %s, which no route has, says so with its status",
    async (path) => {
      const { asked, get } = deploy({});
      expect((await get(path)).status).toBe(404);
      expect(asked.at(-1)).toBe("/pages/en/404.html");
    },
  );

  it("is not what an earlier build's chunk or a page's file is answered with", async () => {
    const { asked, get } = deploy({});
    expect((await get("/assets/old.js")).status).toBe(404);
    expect((await get("/pages/en/index.html")).status).toBe(404);
    expect(asked).toEqual([]);
  });

  it("may frame the platform and call an outside user pool", async () => {
    const { headers } = await deploy({ PLATFORM_URL: "https://platform.example/v1/" }).get("/");
    expect(headers.get("content-security-policy")).toBe(
      `${POLICY.replace("connect-src 'self'", "connect-src 'self' https://cognito-idp.us-east-1.amazonaws.com")}; frame-src 'self' https://platform.example`,
    );
    expect(headers.get("permissions-policy")).toBe('camera=(self "https://platform.example")');
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });

  it("calls only itself where the user pool is its own, and loads the challenge where there is one", async () => {
    const settings = {
      IDENTITY: "embedded",
      PLATFORM_URL: "https://platform.example",
      TURNSTILE_URL: "https://challenge.example/path",
      TURNSTILE_SITE_KEY: "1x0",
      TURNSTILE_SECRET_KEY: "2x0",
    };
    const { headers } = await deploy(settings).get("/");
    expect(headers.get("content-security-policy")).toBe(
      `${POLICY.replace("script-src 'self'", "script-src 'self' https://challenge.example")}; frame-src 'self' https://platform.example https://challenge.example`,
    );
  });

  it("names exactly what the chat and the recorder need, and nothing of theirs where they are off", async () => {
    const policyOf = async (settings: Record<string, string>) => {
      const common = { IDENTITY: "embedded", PLATFORM_URL: "https://platform.example" };
      const { headers } = await deploy({ ...common, ...settings }, "", BUILT_POLICY).get("/flex/dashboard");
      return headers.get("content-security-policy")?.split("; ");
    };
    const stripe = "https://js.stripe.com https://*.js.stripe.com";
    const recorder = "https://www.recorder.example https://*.recorder.example";
    const on = await policyOf({
      CHATWOOT_URL: "https://chat.example/",
      CHATWOOT_TOKEN: "web1",
      CHATWOOT_HMAC_KEY: "key",
      RECORDING_SCRIPT_URL: "https://www.recorder.example/tag/1",
      RECORDING_ORIGINS: "https://*.recorder.example",
    });
    expect(on).toEqual([
      "default-src 'self'",
      `script-src 'self' ${stripe} https://chat.example ${recorder}`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src 'self' https://api.stripe.com ${recorder}`,
      `frame-src 'self' ${stripe} https://hooks.stripe.com https://platform.example https://chat.example`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]);
    expect(await policyOf({})).toEqual([
      "default-src 'self'",
      `script-src 'self' ${stripe}`,
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self' https://api.stripe.com",
      `frame-src 'self' ${stripe} https://hooks.stripe.com https://platform.example`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]);
  });

  it("lets our own pages frame the check-in, which tells nobody its address", async () => {
    const { headers } = await deploy({}).get("/arrived?token=secret");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });
});

it("installs as an app with the product's name", async () => {
  const response = await deploy({ PRODUCT_NAME: "Turno" }).get("/manifest.webmanifest", {
    "accept-language": "es-MX",
  });
  expect(response.headers.get("content-type")).toBe("application/manifest+json");
  // It is in the device's language.
  expect(response.headers.get("cache-control")).toBe("private, max-age=3600");
  const manifest: unknown = await response.json();
  expect(manifest).toEqual({
    id: "/",
    name: "Turno",
    short_name: "Turno",
    description: "Captura los bloques que cumplen tus filtros, y dice por qué no en las demás ofertas.",
    lang: "es",
    start_url: "/flex/dashboard",
    scope: "/",
    display: "standalone",
    background_color: "#1b1e22",
    theme_color: "#1b1e22",
    icons: [192, 512, 512].map((size, at) => ({
      src: `/icons/${at === 2 ? "maskable" : "icon"}-${size}.png`,
      sizes: `${size}x${size}`,
      type: "image/png",
      ...(at === 2 ? { purpose: "maskable" } : {}),
    })),
    shortcuts: [
      { name: "Inicio", url: "/flex/dashboard" },
      { name: "Filtros", url: "/flex/filters" },
      { name: "Ya llegué", url: "/flex/dashboard#arrived" },
    ],
    screenshots: [
      ...["dashboard", "blocks", "filters"].map((screen) => ({
        src: `/pictures/${screen}-phone-es.webp`,
        sizes: "780x1688",
        type: "image/webp",
        form_factor: "narrow",
      })),
      {
        src: "/pictures/dashboard-desk-es.webp",
        sizes: "1280x800",
        type: "image/webp",
        form_factor: "wide",
      },
    ],
  });
});

describe("every answer", () => {
  const facts = ({ headers }: Response) =>
    ["cache-control", "x-content-type-options", "strict-transport-security"].map((name) => headers.get(name));

  it("is kept by no cache, except where its route says so", async () => {
    const { get } = deploy({});
    expect(facts(await get("/"))).toEqual(["no-store", "nosniff", "max-age=31536000"]);
    expect(facts(await get("/assets/x"))).toEqual(["no-store", "nosniff", "max-age=31536000"]);
    expect(facts(await get("/cached"))).toEqual(["max-age=5", "nosniff", "max-age=31536000"]);
  });

  it("that opens a socket is passed on as it is", async () => {
    expect(facts(await deploy({}).get("/socket"))).toEqual([null, null, null]);
  });
});

describe("what search engines read", () => {
  const settings = { PUBLIC_URL: "https://turno.example/" };

  it("keeps them out of what is behind a sign-in, and names the sitemap", async () => {
    const response = await deploy(settings).get("/robots.txt");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    const lines = (await response.text()).trim().split("\n");
    expect(lines).toContain("Disallow: /flex/");
    expect(lines.at(-1)).toBe("Sitemap: https://turno.example/sitemap.xml");
  });

  it("lists each public page in each language, with its other languages", async () => {
    const response = await deploy(settings).get("/sitemap.xml");
    expect(response.headers.get("content-type")).toMatch(/^application\/xml/);
    const urls = (await response.text()).match(/<url>.*<\/url>/g) ?? [];
    expect(urls).toHaveLength(12);
    expect(urls).toContain(
      [
        "<url><loc>https://turno.example/pt/faqs</loc>",
        ...["en", "es", "pt"].map(
          (language) =>
            `<xhtml:link rel="alternate" hreflang="${language}" href="https://turno.example/${language}/faqs"/>`,
        ),
        '<xhtml:link rel="alternate" hreflang="x-default" href="https://turno.example/faqs"/></url>',
      ].join(""),
    );
  });
});
