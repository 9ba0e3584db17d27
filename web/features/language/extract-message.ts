import * as z from "zod/mini";

/** The default in every language, where the response has no message. */
const DEFAULT_MESSAGE = "Ha ocurrido un error";

const errorBody = z.object({ message: z.union([z.string(), z.record(z.string(), z.unknown())]) });

/** The message in a response: in the page's language, else in Spanish, else the plain string. */
export function extractMessage(body: unknown, language: string): string {
  const { data } = z.safeParse(errorBody, body);
  if (!data) return DEFAULT_MESSAGE;
  const { message } = data;
  const found = typeof message === "string" ? [message] : [message[language], message["es"]];
  return found.find((text) => typeof text === "string" && text !== "")?.toString() ?? DEFAULT_MESSAGE;
}
