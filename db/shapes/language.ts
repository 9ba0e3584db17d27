import * as z from "zod/mini";
import { readsAs } from "./tolerant.ts";

export const LANGUAGES = ["en", "es", "pt"] as const;

/** One of a later release reads as English. */
export const language = readsAs(z.enum(LANGUAGES), "en");

export type Language = z.infer<typeof language>;
