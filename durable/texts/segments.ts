/** GSM 03.38: a text of these letters alone has 160 to a segment. */
const GSM_LETTERS = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take two places. */
const GSM_EXTENSION = new Set("^{}\\[~]|€\f");

/** Places of a text that fits one segment, and of each part of a longer one. */
const PLACES = { gsm7: { alone: 160, part: 153 }, ucs2: { alone: 70, part: 67 } } as const;

/** How a text is sent: in GSM's alphabet of 7 bits, or in 16 bits if a single letter is missing there. */
export type Segments = { encoding: keyof typeof PLACES; places: number; segments: number };

/** The price of a text: each segment costs. */
export function segmentsOf(text: string): Segments {
  const letters = [...text];
  const isGsm = letters.every((letter) => GSM_LETTERS.has(letter) || GSM_EXTENSION.has(letter));
  const encoding = isGsm ? "gsm7" : "ucs2";
  const places = isGsm
    ? letters.reduce((sum, letter) => sum + (GSM_EXTENSION.has(letter) ? 2 : 1), 0)
    : text.length;
  const { alone, part } = PLACES[encoding];
  return { encoding, places, segments: places <= alone ? 1 : Math.ceil(places / part) };
}

/** Characters that look alike in both alphabets; formatted times and amounts have some of the spaces. */
const PLAIN_CHARACTERS: Readonly<Record<string, string>> = {
  "\u00a0": " ",
  "\u2007": " ",
  "\u2009": " ",
  "\u202f": " ",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "…": "...",
};

/** The same text without the spaces and quotes that alone would make it twice as long. Accents stay. */
export function toPlainCharacters(text: string): string {
  return text.replaceAll(
    /[\u00a0\u2007\u2009\u202f‘’“”–—…]/g,
    (character) => PLAIN_CHARACTERS[character] ?? character,
  );
}
