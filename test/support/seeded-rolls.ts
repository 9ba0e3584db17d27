/** The same items in an order that the seed decides: each run begins with others. */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed >>> 0;
  // mulberry32
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return items
    .map((item) => ({ item, at: roll() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
