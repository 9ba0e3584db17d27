import * as z from "zod/mini";

export const LANGUAGES = ["en", "es", "pt"] as const;

export const language = z.enum(LANGUAGES);

export type Language = z.infer<typeof language>;
