import type { Language } from "../../../db/shapes/language.ts";

/** The languages' own names. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", es: "Español", pt: "Português" };
