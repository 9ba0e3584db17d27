/** Numbers in [0, 1) that a seed decides (mulberry32), so that a run that fails can be repeated. */
export function seededRolls(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same items in an order that the seed decides: each run begins with others. */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const roll = seededRolls(seed);
  return items
    .map((item) => ({ item, at: roll() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
