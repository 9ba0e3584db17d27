import * as z from "zod/mini";
import { recordOf } from "./record-of.ts";
import { readsAs } from "./tolerant.ts";

export const LANGUAGES = ["en", "es", "pt"] as const;

/** One of a later release reads as English. */
export const language = readsAs(z.enum(LANGUAGES), "en");

export type Language = z.infer<typeof language>;

/** The language of whoever prefers none of ours, and of texts that are missing in another. */
export const BASE_LANGUAGE = "en" satisfies Language;

/** Each language's facts beside its words in `locales/`. */
export const LANGUAGE_FACTS = {
  en: {
    name: "English",
    tag: "en-US",
    hourStyle: "numeric",
    shortDay: "named month",
    distances: "miles",
    stripe: "en",
  },
  es: {
    name: "Español",
    tag: "es-US",
    hourStyle: "numeric",
    shortDay: "named month",
    distances: "miles",
    stripe: "es-419",
  },
  pt: {
    name: "Português",
    tag: "pt-BR",
    // Portuguese writes `03:57`; left to itself, Intl does so only beside a day.
    hourStyle: "2-digit",
    shortDay: "figures",
    distances: "kilometers",
    stripe: "pt-BR",
  },
} as const satisfies Record<
  Language,
  {
    /** As its speakers call it. */
    name: string;
    /** With the region of most readers, which decides the currency symbol and the 12- or 24-hour clock. */
    tag: string;
    hourStyle: "numeric" | "2-digit";
    /** The shortest form of a day that its readers know: `Nov 22` or `22/11`. */
    shortDay: "named month" | "figures";
    /** The system that its readers measure roads by. */
    distances: "miles" | "kilometers";
    /** Of the card fields. */
    stripe: string;
  }
>;

/** The languages that every stored text has. One that was added later may be missing in a row, and reads as empty. */
const IN_EVERY_ROW: readonly Language[] = ["en", "es", "pt"];

export function isInEveryRow(which: Language): boolean {
  return IN_EVERY_ROW.includes(which);
}

/** A text in each language. */
export const texts = z.object(
  recordOf(LANGUAGES, (each) => (isInEveryRow(each) ? z.string() : z._default(z.string(), ""))),
);
export type Texts = Readonly<Record<Language, string>>;

/** A text in one language, or in English where that is missing. */
export function textIn(of: Texts, which: Language): string {
  return of[which] || of[BASE_LANGUAGE];
}
