import { LANGUAGE_FACTS, LANGUAGES, type Language } from "../../db/shapes/language.ts";
import {
  ADDRESS_PLACEHOLDER,
  ORIGIN_PLACEHOLDER,
  PRODUCT_PLACEHOLDER,
  withLanguage,
} from "../../worker/contract/page-address.ts";
import type { PrerenderedPage } from "../prerender/prerender.tsx";

const PICTURE = { width: 1200, height: 630 };

/** Visitors' forms that are worth finding. */
const FOUND_FORMS = ["/login", "/register"];

/** A page's head, for the browser, for search engines and for shared links. */
export function pageHead(page: PrerenderedPage, language: Language): string[] {
  const { description, isPublic, path, structuredData, title } = page;
  return [
    `<title>${escape(title)}</title>`,
    `<meta name="description" content="${escape(description)}" />`,
    ...(isPublic && path !== null ? addresses(path) : []),
    ...(isPublic || (path !== null && FOUND_FORMS.includes(path))
      ? preview(page, language)
      : [`<meta name="robots" content="noindex" />`]),
    ...structuredData.map(
      (data) =>
        `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`,
    ),
  ];
}

/**
 * Each language has its own address; the one without decides by the device. Each of them is its own canonical address, since
 * search engines ignore alternates of a page that names another as the canonical one.
 */
function addresses(path: string): string[] {
  const link = (rel: string, pathname: string, hreflang = "") =>
    `<link rel="${rel}"${hreflang} href="${ORIGIN_PLACEHOLDER}${pathname}" />`;
  return [
    link("canonical", ADDRESS_PLACEHOLDER),
    ...LANGUAGES.map((other) => link("alternate", withLanguage(path, other), ` hreflang="${other}"`)),
    link("alternate", path, ' hreflang="x-default"'),
  ];
}

/** How the page looks where somebody shares its link. */
function preview({ description, isPublic, path, title }: PrerenderedPage, language: Language): string[] {
  const pathname = path ?? "/";
  const properties = {
    "og:type": "website",
    "og:site_name": PRODUCT_PLACEHOLDER,
    "og:title": title,
    "og:description": description,
    "og:url": `${ORIGIN_PLACEHOLDER}${isPublic ? ADDRESS_PLACEHOLDER : pathname}`,
    // Open Graph writes `es_US`.
    "og:locale": LANGUAGE_FACTS[language].tag.replace("-", "_"),
    "og:image": `${ORIGIN_PLACEHOLDER}/pictures/share-${language}.png`,
    "og:image:width": String(PICTURE.width),
    "og:image:height": String(PICTURE.height),
    "og:image:alt": title,
  };
  return [
    ...Object.entries(properties).map(
      ([name, content]) => `<meta property="${name}" content="${escape(content)}" />`,
    ),
    `<meta name="twitter:card" content="summary_large_image" />`,
  ];
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
