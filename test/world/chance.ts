import { seededRolls } from "../support/seeded-rolls.ts";

/** A stream of chance that a seed decides. */
export type Chance = {
  /** In [0, 1). */
  roll: () => number;
  /** An integer in [least, most]. */
  between: (least: number, most: number) => number;
  is: (probability: number) => boolean;
  pick: <Item>(items: readonly Item[]) => Item;
};

/** Each name has a stream of its own, so that more chance in one place changes nothing in another. */
export function createChance(seed: number, name: string): Chance {
  const roll = seededRolls(mix(seed, name));
  return {
    roll,
    between: (least, most) => least + Math.floor(roll() * (most - least + 1)),
    is: (probability) => roll() < probability,
    pick: (items) => {
      const item = items[Math.floor(roll() * items.length)];
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
  };
}

function mix(seed: number, name: string): number {
  // The digit of a seed of one would cancel it.
  let hash = 0x811c9dc5 ^ (seed < 10 ? seed << 8 : seed);
  for (const letter of `${seed}/${name}`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
