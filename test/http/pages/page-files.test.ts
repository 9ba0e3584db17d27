import { describe, expect, it } from "vitest";
import { deployPage } from "./page-harness.ts";

it("installs as an app with the product's name", async () => {
  const response = await deployPage({ PRODUCT_NAME: "Turno" }).get("/manifest.webmanifest", {
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
describe("the text for search engines", () => {
  const settings = { PUBLIC_URL: "https://turno.example/" };

  it("keeps them out of what is behind a sign-in, and names the sitemap", async () => {
    const response = await deployPage(settings).get("/robots.txt");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
    const closed = ["/flex/", "/status/", "/identity", "/webhooks/", "/arrived", "/undo", "/q"];
    expect((await response.text()).trim().split("\n")).toEqual([
      "User-agent: *",
      ...closed.map((path) => `Disallow: ${path}`),
      "Sitemap: https://turno.example/sitemap.xml",
    ]);
  });

  it("lists each address of each public page, with its languages", async () => {
    const response = await deployPage(settings).get("/sitemap.xml");
    expect(response.headers.get("content-type")).toMatch(/^application\/xml/);
    const xml = await response.text();
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+" xmlns:xhtml="[^"]+">\n<url>/,
    );
    expect(xml).toMatch(/<\/url>\n<\/urlset>$/);
    const urls = xml.match(/<url>.*<\/url>/g) ?? [];
    expect(urls).toHaveLength(20);
    expect(urls[0]).toMatch(/^<url><loc>https:\/\/turno\.example\/<\/loc>/);
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
