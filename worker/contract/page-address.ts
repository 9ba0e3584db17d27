import { LANGUAGES, type Language } from "../../db/shapes/language.ts";

/** The pages for everybody. Each also has an address of its own in every language, such as `/es/faqs`. */
export const PUBLIC_PATHS = ["/", "/terms", "/faqs", "/contact", "/health"] as const;

/** The placeholder of the product's name in built pages. */
export const PRODUCT_PLACEHOLDER = "{{product}}";

/** The same inside of JSON. */
export const PRODUCT_IN_JSON = "{{product in JSON}}";

/** In place of the year in which a page is served. */
export const YEAR_PLACEHOLDER = "{{year}}";

/** In place of the deployment's own address, such as `https://jornada.example`. */
export const ORIGIN_PLACEHOLDER = "{{origin}}";

/** In place of the address that a page is served at, with or without a language. */
export const ADDRESS_PLACEHOLDER = "{{address}}";

/** In place of the plans as a JSON array of schema.org's `Offer`. */
export const OFFERS_PLACEHOLDER = "{{offers}}";

export function isPublicPath(pathname: string): boolean {
  return PUBLIC_PATHS.some((path) => path === pathname);
}

/** Takes the language off the address of a public page that names one. */
export function splitLanguage(pathname: string): { language: Language | null; pathname: string } {
  for (const language of LANGUAGES) {
    const rest = withoutPrefix(pathname, `/${language}`);
    if (rest !== null && isPublicPath(rest)) return { language, pathname: rest };
  }
  return { language: null, pathname };
}

/** The address of a public page in a language. */
export function withLanguage(pathname: string, language: Language): string {
  return pathname === "/" ? `/${language}` : `/${language}${pathname}`;
}

function withoutPrefix(pathname: string, prefix: string): string | null {
  if (pathname === prefix) return "/";
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : null;
}
