import english from "../../locales/en.json" with { type: "json" };

export type MessageKey = keyof typeof english;

/** Patterns of values, where any text would also match other messages. */
const VALUES: Readonly<Record<string, string>> = {
  ago: String.raw`\d.*? ago`,
  left: String.raw`\d+(?: (?:days?|hr|min)(?:, \d+ \w+)?)?`,
  limit: String.raw`\d+`,
};

/** A message as it stands in a line of the tree, whole or as a sentence of it; a single word only whole. */
export function patternOf(key: MessageKey): RegExp {
  const message = english[key];
  if (typeof message !== "string") throw new TypeError(`${key} has forms`);
  const parts = message.split(/(?<value>\{\w+\})/u).map((part) => {
    const name = /^\{(?<name>\w+)\}$/u.exec(part)?.groups?.["name"];
    return name === undefined
      ? part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)
      : `(?<${name}>${VALUES[name] ?? ".+?"})`;
  });
  const isWord = !message.includes(" ");
  const [before, after] = isWord ? ["^", "$"] : [String.raw`(?<![\p{L}\d])`, String.raw`(?![\p{L}\d])`];
  return new RegExp(`${before}${parts.join("")}${after}`, "u");
}
