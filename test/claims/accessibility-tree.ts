/** One line of an accessibility tree: a control or a text, in reading order. */
export type TreeLine = { role: string; text: string; isDisabled: boolean; isChecked: boolean };

/** Reads what Playwright prints of a tree (`ariaSnapshot`). */
export function parseTree(snapshot: string): TreeLine[] {
  return snapshot.split("\n").flatMap((line) => {
    const match = /^\s*- (?<role>[a-z]+)(?<rest>.*)$/u.exec(unquoteLine(line));
    if (!match?.groups) return [];
    const { role = "", rest = "" } = match.groups;
    const name = /^ "(?<name>(?:[^"\\]|\\.)*)"/u.exec(rest)?.groups?.["name"] ?? "";
    const text = /(?<!\/url): (?<text>.+)$/u.exec(rest.slice(name.length))?.groups?.["text"] ?? "";
    return [
      {
        role,
        text: unquote([unescape(name), unquote(text)].filter(Boolean).join(" ")),
        isDisabled: rest.includes("[disabled]"),
        isChecked: rest.includes("[checked]"),
      },
    ];
  });
}

/** A line whose text has a colon stands in single quotes. */
function unquoteLine(line: string): string {
  const match = /^(?<indent>\s*- )'(?<inner>.*)'(?<colon>:?)$/u.exec(line);
  return match?.groups
    ? `${match.groups["indent"]}${match.groups["inner"]?.replaceAll("''", "'")}${match.groups["colon"]}`
    : line;
}

function unquote(text: string): string {
  return /^".*"$/u.test(text) ? unescape(text.slice(1, -1)) : text;
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gu, "$1");
}
