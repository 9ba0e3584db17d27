import type { Language } from "../db/shapes/language.ts";
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import { numberFormat } from "./format.ts";

type MessageKey = keyof typeof en & string;

/** One text, or one for each plural form of a count: `local plural = count: plural`, matched by `plural=one`. */
type Message = string | readonly PluralForms[];
type PluralForms = {
  readonly declarations: readonly string[];
  readonly match: Readonly<Record<string, string>>;
};

const messages: Record<Language, Record<MessageKey, Message>> = { en, es, pt };

/**
 * Formats a message on the server, for texts, push messages and API errors. The page compiles the same files with
 * Paraglide. `{name}` is replaced by the value of that name; a number is shown as the language writes it, and chooses
 * the plural form where the message has several.
 * @throws {TypeError} if the count that chooses the form is missing
 */
export function formatMessage(
  language: Language,
  key: MessageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return messageText(language, messages[language][key], values).replace(
    /\{(\w+)\}/g,
    (placeholder, name: string) => {
      const value = values[name];
      return typeof value === "number" ? numberFormat(language, {}).format(value) : (value ?? placeholder);
    },
  );
}

/** The text of a message, in the plural form of its count. */
function messageText(
  language: Language,
  message: Message,
  values: Readonly<Record<string, string | number>>,
): string {
  if (typeof message === "string") return message;
  for (const { declarations, match } of message) {
    for (const declaration of declarations) {
      const [, selector, input] = /^local (\w+) = (\w+): plural$/.exec(declaration) ?? [];
      if (selector === undefined || input === undefined) continue;
      const count = values[input];
      if (typeof count !== "number")
        throw new TypeError(`${input} chooses the plural form and is not a number`);
      const text =
        match[`${selector}=${new Intl.PluralRules(language).select(count)}`] ?? match[`${selector}=*`];
      if (text !== undefined) return text;
    }
  }
  throw new TypeError("no plural form matches");
}
