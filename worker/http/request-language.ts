import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { LANGUAGES, type Language } from "../../db/shapes/language.ts";

/** In which the page keeps the language that it is shown in. */
const LANGUAGE_COOKIE = "PARAGLIDE_LOCALE";

/** The language that a caller without a record reads: what they chose on the page, else the first of the browser's that we speak. */
export function requestLanguage(c: Context): Language {
  const wanted = [getCookie(c, LANGUAGE_COOKIE) ?? "", ...(c.req.header("accept-language") ?? "").split(",")];
  const tags = wanted.map((part) => part.trim().slice(0, 2).toLowerCase());
  return tags.flatMap((tag) => LANGUAGES.find((language) => language === tag) ?? [])[0] ?? "en";
}
