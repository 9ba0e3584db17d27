import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };

type MessageKey = keyof typeof en & string;

const messages = { en, es, pt } satisfies Record<string, Record<MessageKey, unknown>>;

/**
 * Formats a message on the server, for texts, push messages and API errors. The page compiles the same files with
 * Paraglide. `{name}` is replaced by the value of that name.
 */
export function formatMessage(
  language: keyof typeof messages,
  key: MessageKey,
  values: Record<string, string> = {},
): string {
  const text = messages[language][key];
  if (typeof text !== "string")
    throw new TypeError(`${key} has plural variants, which only the page can format`);
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
