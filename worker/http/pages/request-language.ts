import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import { LANGUAGE_COOKIE } from "../../contract/language-cookie.ts";
import { splitLanguage } from "../../contract/page-address.ts";

/** The address of a page, without slashes at its end. */
export function pageAddress(c: Context): string {
  return c.req.path.replace(/(?<=.)\/+$/, "");
}

/**
 * The language that a caller without a record reads: the address's, else what they chose on the page, else what the browser
 * wants most.
 */
export function requestLanguage(c: Context): Language {
  const named = splitLanguage(pageAddress(c)).language;
  const chosen = named ?? getCookie(c, LANGUAGE_COOKIE);
  return LANGUAGES.find((ours) => ours === chosen) ?? acceptedLanguage(c.req.header("accept-language"));
}

/** The language of ours that a browser wants most; English where it names none. */
function acceptedLanguage(header: string | undefined): Language {
  const wanted = (header ?? "")
    .split(",")
    .map((part) => {
      const [range = "", ...parameters] = part.trim().toLowerCase().split(";");
      const weight = parameters.map((given) => /^\s*q=([\d.]+)\s*$/.exec(given)?.[1]).find(Boolean);
      return { language: range.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  for (const { language } of wanted) {
    const known = LANGUAGES.find((ours) => ours === language);
    if (known) return known;
  }
  return "en";
}
