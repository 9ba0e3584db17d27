import { createHash } from "node:crypto";
import { readFile, readdir, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import en from "../../locales/en.json" with { type: "json" };
import es from "../../locales/es.json" with { type: "json" };
import pt from "../../locales/pt.json" with { type: "json" };
import { BUILD_DIR, startBuiltApp, type BuiltApp } from "../support/runtime/built-app.ts";

const CLIENT = pathToFileURL(`${BUILD_DIR}/client/`);

/** By gzip. */
const MOST_DASHBOARD_BYTES = 175_300;

const MESSAGES = { en, es, pt };

const TEXTS = {
  "/": {
    en: "For delivery drivers: your filters, your blocks",
    es: "Para conductores de reparto: tus filtros, tus bloques",
    pt: "Para entregadores: seus filtros, seus blocos",
  },
  "/terms": { en: "Terms of service", es: "Términos del servicio", pt: "Termos de serviço" },
  "/faqs": { en: "How does Jornada work?", es: "¿Cómo funciona Jornada?", pt: "Como o Jornada funciona?" },
  "/contact": { en: "Talk to us", es: "Habla con nosotros", pt: "Fale com a gente" },
} as const;

let app: BuiltApp;
beforeAll(async () => {
  app = await startBuiltApp({
    settings: {
      PUBLIC_URL: "https://jornada.example",
      SUPPORT_EMAIL: "help@jornada.example",
      SUPPORT_PHONE: "+15550100199",
      SUPPORT_WHATSAPP: "+15550100198",
    },
  });
  await app.sql(`INSERT INTO city_spots (city, spots) VALUES ('Chicago', 12), ('Reno', 0)`);
});
afterAll(() => app.stop());

async function read(path: string, language = "en") {
  const response = await fetch(`${app.origin}${path}`, { headers: { "accept-language": language } });
  return { html: await response.text(), headers: response.headers, status: response.status };
}

/** The scripts that the HTML names: those that run, and those that it preloads. */
const scriptsOf = (html: string) => [
  ...[...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file),
  // Once it is painted.
  ...(/<meta name="wake" content="([^"]+)"/.exec(html)?.[1] ?? "")
    .split(" ")
    .filter(Boolean)
    .map((file) => file.slice(1)),
];

describe("a public page's first HTML", () => {
  const pages = Object.entries(TEXTS).flatMap(([path, texts]) =>
    Object.entries(texts).map(([language, text]) => ({ path, language, text })),
  );

  it.each(pages)("has its words: $path in $language", async ({ path, language, text }) => {
    const asked = await read(path, language);
    const body = asked.html.slice(asked.html.indexOf("<body"));
    expect(body.includes(text)).toBe(true);
    expect(asked.html).toContain(`<html lang="${language}"`);
    const { html } = await read(`/${language}${path === "/" ? "" : path}`, "fr");
    // Its links lead to such addresses too.
    const named = html.slice(html.indexOf("<body")).replaceAll(`href="/${language}#`, 'href="/#');
    expect(named.replaceAll(new RegExp(`href="/${language}(/?)`, "g"), 'href="/') === body).toBe(true);
  });

  it.each(Object.keys(TEXTS))("gives each of its places an address of its own: %s", async (path) => {
    const { html } = await read(path);
    const ids = [...html.matchAll(/<[a-z][^>]*? id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  it.each(Object.keys(TEXTS))("is its own canonical address among its alternates: %s", async (path) => {
    const rest = path === "/" ? "" : path;
    const addresses = [path, `/en${rest}`, `/es${rest}`, `/pt${rest}`];
    for (const address of addresses) {
      const { html } = await read(address, "es");
      const hrefs = (rel: string) =>
        [...html.matchAll(new RegExp(`<link rel="${rel}"[^>]* href="([^"]*)"`, "g"))].map(([, href]) => href);
      expect(hrefs("canonical")).toEqual([`https://jornada.example${address}`]);
      expect(hrefs("alternate").toSorted()).toEqual(
        addresses.map((other) => `https://jornada.example${other}`).toSorted(),
      );
      expect(html).toContain(`<meta property="og:url" content="https://jornada.example${address}" />`);
    }
  });

  it("says where it stands in each language, and what its link looks like", async () => {
    const { html } = await read("/es/faqs");
    for (const link of [
      `<link rel="alternate" hreflang="pt" href="https://jornada.example/pt/faqs" />`,
      `<link rel="alternate" hreflang="x-default" href="https://jornada.example/faqs" />`,
    ])
      expect(html).toContain(link);
    const picture = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? "";
    const response = await fetch(`${app.origin}${new URL(picture).pathname}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    const data: unknown = JSON.parse(/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "");
    expect(data).toMatchObject({
      "@type": "FAQPage",
      mainEntity: { 0: { name: "¿Cómo funciona Jornada?" } },
    });
    expect(html).not.toContain("{{");
  });

  it("has the plans' prices where search engines look", async () => {
    const { html } = await read("/");
    const data: unknown = JSON.parse(/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "");
    expect(data).toMatchObject({ offers: { length: 4, 2: { name: "14 days", price: "89.99" } } });
  });
});

it("has its prices, spots and contacts where nothing runs, and nothing that waits to be filled in", async () => {
  for (const [path, facts] of [
    [
      "/",
      [
        "$89.99",
        "$6.43 a day",
        "From $5.67 a day with 30 days",
        "Chicago",
        "12 spots left",
        "Reno",
        "Full, 0 on the waitlist",
        "mailto:help@jornada.example",
      ],
    ],
    ["/es", ["12 cupos libres"]],
    [
      "/pt/contact",
      ["mailto:help@jornada.example", "+1 (555) 010-0199", "tel:+15550100199", "https://wa.me/15550100198"],
    ],
  ] as const) {
    const { html } = await read(path);
    for (const fact of facts) expect(html).toContain(fact);
    expect(html.replaceAll(/<script.*?<\/script>/gs, "")).not.toMatch(
      /data-skeleton|data-case|data-row|__[a-z]/,
    );
  }
});

describe("a page", () => {
  it.each(["/login", "/flex/dashboard", "/flex/filters", "/flex/payments", "/flex/profile"])(
    "names what its first screen needs, in no piece under 1 kB: %s",
    async (path) => {
      // The browser requests one that is preloaded and then run once.
      const files = [...new Set(scriptsOf((await read(path)).html))];
      expect(files.length).toBeGreaterThan(1);
      expect(files.length).toBeLessThanOrEqual(18);
      for (const file of files)
        expect([file, (await stat(new URL(file, CLIENT))).size > 1024]).toEqual([file, true]);
    },
  );

  it("has no more to load for the dashboard's first paint than it was measured with", async () => {
    const files = [...new Set(scriptsOf((await read("/flex/dashboard", "pt")).html))];
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(new URL(file, CLIENT))).length),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    // A change that needs more says so here. React, the router and the queries are 104 kB of it.
    expect([files.length <= 6, bytes <= MOST_DASHBOARD_BYTES, bytes]).toEqual([true, true, bytes]);
  });

  it("has parts beneath the dashboard's first card that import no chunk with the words of other screens", async () => {
    const first = scriptsOf((await read("/flex/dashboard")).html);
    const later = (await readdir(new URL("assets/", CLIENT))).filter((name) =>
      /^home-rest-.*\.js$/.test(name),
    );
    expect(later.length).toBeGreaterThan(1);
    for (const name of later) {
      const code = await readFile(new URL(`assets/${name}`, CLIENT), "utf8");
      const imported = [...code.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, file = ""]) => file);
      expect(imported.length).toBeGreaterThan(1);
      expect(imported.filter((file) => !first.includes(`assets/${file}`) && !later.includes(file))).toEqual(
        [],
      );
    }
  });

  it("comes with the words of its language alone", async () => {
    const { html } = await read("/flex/dashboard", "pt");
    const files = scriptsOf(html);
    expect(files.filter((file) => file.includes("/messages-"))).toEqual([
      expect.stringMatching(/^assets\/messages-pt-first-/),
    ]);
    const texts = await Promise.all(files.map((file) => readFile(new URL(file, CLIENT), "utf8")));
    const has = (language: "en" | "es" | "pt") =>
      texts.some((code) => code.includes(MESSAGES[language].switch_confirm_text));
    expect([has("pt"), has("es"), has("en")]).toEqual([true, false, false]);
    // Those of screens that are not open yet wait, as do the other languages.
    expect(/<meta name="messages" content="([^"]+)"/.exec(html)?.[1]?.split(" ")).toHaveLength(9);
    expect(scriptsOf((await read("/flex/filters", "es")).html).join()).toMatch(
      /messages-es-first-.*messages-es-home-.*messages-es-rest-/,
    );
  });

  it("has inline only what its policy names by hash, and has the status of what it is", async () => {
    for (const [path, status] of [
      ["/", 200],
      ["/flex/dashboard", 200],
      ["/nowhere", 404],
    ] as const) {
      const { headers, html, status: answered } = await read(path);
      expect(answered).toBe(status);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).not.toMatch(/unsafe-(?:inline|eval)/);
      const inline = [...html.matchAll(/<(script|style)(?: type="module")?>(.*?)<\/\1>/gs)];
      for (const [, kind, text = ""] of inline) {
        const hash = createHash("sha256").update(text).digest("base64");
        expect(new RegExp(`${kind}-src [^;]*`).exec(policy)?.[0]).toContain(`'sha256-${hash}'`);
      }
      const scripts = inline.filter(([, kind]) => kind === "script");
      expect([scripts.length, inline.length]).toEqual(path === "/" ? [2, 3] : [1, 1]);
      expect(html.match(/<script(?![^>]*(?:src=|ld\+json))/g)).toHaveLength(scripts.length);
    }
  });

  it("has an icon where its address names none, as an answer of the API or a picture", async () => {
    const { status, headers } = await read("/favicon.ico");
    expect([status, headers.get("content-type")]).toEqual([200, "image/vnd.microsoft.icon"]);
  });

  it("is kept from search engines where it is a driver's", async () => {
    for (const path of ["/flex/dashboard", "/forgot-password", "/demo/table", "/nowhere"])
      expect((await read(path)).html).toContain('<meta name="robots" content="noindex" />');
    for (const path of ["/", "/login", "/register"]) expect((await read(path)).html).not.toContain("noindex");
  });
});
