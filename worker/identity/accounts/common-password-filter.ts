/** A Bloom filter: it knows every text that it was made of, and takes few others for one of them. */
export type TextFilter = { bits: Uint8Array; hashes: number };

const FNV_PRIME = 0x01000193;
const SEEDS = [0x811c9dc5, 0x9747b28c] as const;
/** The shortest word that counts, alone or with digits and symbols around it. */
export const MIN_WORD_LENGTH = 4;
/** Around a common word, more characters than these make it another password. */
const MAX_DECORATION = 6;

/** The figures and symbols that stand in for letters. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "8": "b",
  "3": "e",
  "6": "g",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
  "+": "t",
};
/** The characters of the digit keys with shift, on the keyboard that lists of passwords show most. */
const SHIFTED: Readonly<Record<string, string>> = {
  "!": "1",
  "@": "2",
  "#": "3",
  $: "4",
  "%": "5",
  "^": "6",
  "&": "7",
  "*": "8",
  "(": "9",
  ")": "0",
};

function hash(text: string, seed: number): number {
  let value: number = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), FNV_PRIME);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

function* placesOf(text: string, { bits, hashes }: TextFilter): Generator<number> {
  const [first, step] = [hash(text, SEEDS[0]), hash(text, SEEDS[1]) | 1];
  for (let i = 0; i < hashes; i++) yield ((first + i * step) >>> 0) % (bits.length * 8);
}

/** @param bitsPerText 16 takes one in 2,000 other texts for one of these */
export function makeFilter(texts: readonly string[], bitsPerText = 16): TextFilter {
  const filter = {
    bits: new Uint8Array(Math.ceil((texts.length * bitsPerText) / 8)),
    hashes: Math.round(bitsPerText * Math.LN2),
  };
  for (const text of texts) {
    for (const place of placesOf(text, filter)) {
      filter.bits[place >>> 3] = (filter.bits[place >>> 3] ?? 0) | (1 << (place & 7));
    }
  }
  return filter;
}

function isIn(filter: TextFilter, text: string): boolean {
  for (const place of placesOf(text, filter)) {
    if (((filter.bits[place >>> 3] ?? 0) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

/**
 * A guesser's starting words for a password: the rules on classes make people write a common one with capitals,
 * lookalikes, shifted digits, or digits and symbols around it.
 */
export function plainFormsOf(password: string): Set<string> {
  const lower = password.toLowerCase();
  const replaceAll = (text: string, by: Readonly<Record<string, string>>) =>
    Array.from(text, (letter) => by[letter] ?? letter).join("");
  const word = lower.replace(/^[^a-z]+/, "").replace(/[^a-z]+$/, "");
  const words = lower.length - word.length <= MAX_DECORATION ? [word, replaceAll(word, LOOKALIKES)] : [];
  const forms = [
    lower,
    replaceAll(lower, SHIFTED),
    replaceAll(lower, LOOKALIKES),
    lower.replaceAll(/[^a-z0-9]/g, ""),
    ...words,
  ];
  return new Set(forms.filter((form) => form.length >= MIN_WORD_LENGTH));
}

/** Whether one of the forms that a password comes from is in the filter. */
export function isCommon(filter: TextFilter, password: string): boolean {
  return [...plainFormsOf(password)].some((form) => isIn(filter, form));
}
