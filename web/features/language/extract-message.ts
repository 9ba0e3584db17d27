import * as z from "zod/mini";

/** In Spanish in every language: it stands where not even the server found words. */
const DEFAULT_MESSAGE = "Ha ocurrido un error";

const errorBody = z.object({ message: z.union([z.string(), z.record(z.string(), z.unknown())]) });

/** The message of an answer: in the language of the page, else in Spanish, else as it stands. */
export function extractMessage(body: unknown, language: string): string {
  const { data } = z.safeParse(errorBody, body);
  if (!data) return DEFAULT_MESSAGE;
  const { message } = data;
  const found = typeof message === "string" ? [message] : [message[language], message["es"]];
  return found.find((text) => typeof text === "string" && text !== "")?.toString() ?? DEFAULT_MESSAGE;
}
