/** Patterns of what must not be logged, the more general first. */
const SECRETS: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/\beyJ[\w-]+(\.[\w-]*)*/g, "[token]"],
  [/\bbearer\s+\S+/gi, "[token]"],
  [/(token|ticket|secret|password|code)(["']?\s*[=:]\s*["']?)[^\s"'&,;)}]+/gi, "$1$2[secret]"],
  [/[\w.%+-]+@[\w-]+(\.[\w-]+)+/g, "[email]"],
  [/[\w-]{32,}/g, "[token]"],
  [/(?:\+?\d{1,3}[\s.-]?)?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}/g, "[number]"],
  [/\d{6,}/g, "[number]"],
];

/** Removes tokens, email addresses, codes and phone numbers from a text. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, mask]) => clean.replace(pattern, mask), text);
}
