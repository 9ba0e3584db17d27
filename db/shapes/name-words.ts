/** More words than a name has, and longer ones, find nobody. */
const MOST_WORDS = 8;
const LONGEST_WORD = 40;

/** The words of a name as it is searched for: without case and accents, each once. */
export function nameWords(name: string): string[] {
  const plain = name.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, LONGEST_WORD)))].slice(0, MOST_WORDS);
}
