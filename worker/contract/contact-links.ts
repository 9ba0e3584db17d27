/** A random item, by a roll in [0, 1), to spread the load over all numbers; undefined for an empty list. */
export function pickRandom<Item>(list: readonly Item[], roll: number): Item | undefined {
  return list[Math.floor(roll * list.length)];
}

/** A link that opens a chat; the number may be in any format. */
export function whatsappLink(number: string): string {
  return `https://wa.me/${number.replaceAll(/\D/g, "")}`;
}

/** A link that calls; the number may be in any format. */
export function phoneLink(number: string): string {
  return `tel:${number.replaceAll(/[^\d+]/g, "")}`;
}
