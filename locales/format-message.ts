import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };

type MessageKey = keyof typeof en & string;

const messages = { en, es, pt } satisfies Record<string, Record<MessageKey, unknown>>;

/**
 * A message for the places that no page stands behind: texts and problems. The page has its own
 * compiler for the same files. `{name}` takes the value of that name.
 */
export function formatMessage(
  language: keyof typeof messages,
  key: MessageKey,
  values: Record<string, string> = {},
): string {
  const text = messages[language][key];
  if (typeof text !== "string") throw new TypeError(`${key} has variants; only the page can say it`);
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
