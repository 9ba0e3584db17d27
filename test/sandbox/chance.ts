/** A 64-bit hash of a text in hexadecimal: uniform, but not cryptographic. */
export function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0");
}

/** A pseudo-random stream of numbers in [0, 1), seeded by its name (mulberry32). */
export function createChance(name: string): () => number {
  let word = Number.parseInt(digest(name).slice(0, 8), 16);
  return () => {
    word = (word + 0x6d2b79f5) | 0;
    let mixed = Math.imul(word ^ (word >>> 15), 1 | word);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Picks an item with probability proportional to its weight. */
export function pick<Item>(
  roll: number,
  items: readonly Item[],
  weightOf: (item: Item) => number = () => 1,
): Item {
  let rest = roll * items.reduce((sum, item) => sum + weightOf(item), 0);
  const found = items.find((item) => (rest -= weightOf(item)) < 0) ?? items.at(-1);
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}
