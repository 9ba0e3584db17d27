import { readFile, stat } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import en from "../../locales/en.json" with { type: "json" };
import es from "../../locales/es.json" with { type: "json" };
import pt from "../../locales/pt.json" with { type: "json" };
import { startBuiltApp, type BuiltApp } from "../support/built-app.ts";

const CLIENT = new URL("../../.cache/dist/client/", import.meta.url);

const MESSAGES = { en, es, pt };

const TEXTS = {
  "/": {
    en: "Your filters. Your blocks.",
    es: "Tus filtros. Tus bloques.",
    pt: "Seus filtros. Seus blocos.",
  },
  "/terms": { en: "Terms of service", es: "Términos del servicio", pt: "Termos de serviço" },
  "/faqs": { en: "How does Jornada work?", es: "¿Cómo funciona Jornada?", pt: "Como o Jornada funciona?" },
  "/contact": { en: "Talk to us", es: "Habla con nosotros", pt: "Fale com a gente" },
} as const;

let app: BuiltApp;
beforeAll(async () => {
  app = await startBuiltApp({ settings: { PUBLIC_URL: "https://jornada.example" } });
});
afterAll(() => app.stop());

async function read(path: string, language = "en") {
  const response = await fetch(`${app.origin}${path}`, { headers: { "accept-language": language } });
  return { html: await response.text(), headers: response.headers, status: response.status };
}

/** The scripts that the HTML names: those that run, and those that it preloads. */
const scriptsOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file);

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
    expect(html.slice(html.indexOf("<body")) === body).toBe(true);
  });

  it("says where it stands in each language, and what its link looks like", async () => {
    const { html } = await read("/es/faqs");
    for (const link of [
      `<link rel="canonical" href="https://jornada.example/es/faqs" />`,
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

describe("a page", () => {
  it.each(["/login", "/flex/dashboard", "/flex/filters", "/flex/payments", "/flex/profile"])(
    "names what its first screen needs, in no piece under 1 kB: %s",
    async (path) => {
      const files = scriptsOf((await read(path)).html);
      expect(files.length).toBeGreaterThan(1);
      expect(files.length).toBeLessThanOrEqual(20);
      for (const file of files)
        expect([file, (await stat(new URL(file, CLIENT))).size > 1024]).toEqual([file, true]);
    },
  );

  it("comes with the words of its language alone", async () => {
    const { html } = await read("/flex/dashboard", "pt");
    const files = scriptsOf(html);
    expect(files.filter((file) => file.includes("/words-"))).toEqual([
      expect.stringMatching(/^assets\/words-pt-first-/),
    ]);
    const texts = await Promise.all(files.map((file) => readFile(new URL(file, CLIENT), "utf8")));
    const has = (language: "en" | "es" | "pt") =>
      texts.some((code) => code.includes(MESSAGES[language].switch_confirm_text));
    expect([has("pt"), has("es"), has("en")]).toEqual([true, false, false]);
    // Those of screens that are not open yet wait, as do the other languages.
    expect(/<meta name="words" content="([^"]+)"/.exec(html)?.[1]?.split(" ")).toHaveLength(6);
    expect(scriptsOf((await read("/flex/filters", "es")).html).join()).toMatch(
      /words-es-first-.*words-es-rest-/,
    );
  });

  it("runs no inline script, and has the status of what it is", async () => {
    for (const [path, status] of [
      ["/", 200],
      ["/flex/dashboard", 200],
      ["/nowhere", 404],
    ] as const) {
      const { headers, html, status: answered } = await read(path);
      expect(answered).toBe(status);
      const policy = headers.get("content-security-policy") ?? "";
      expect(/script-src [^;]*/.exec(policy)?.[0]).not.toMatch(/unsafe-(?:inline|eval)/);
      expect(html).not.toMatch(/<script(?![^>]*(?:src=|ld\+json))/);
    }
  });

  it("is kept from search engines where it is a driver's", async () => {
    for (const path of ["/flex/dashboard", "/forgot-password", "/demo/table", "/nowhere"])
      expect((await read(path)).html).toContain('<meta name="robots" content="noindex" />');
    for (const path of ["/", "/login", "/register"]) expect((await read(path)).html).not.toContain("noindex");
  });
});
