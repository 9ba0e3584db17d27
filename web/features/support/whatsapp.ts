/** One of the list by a roll in [0, 1), so that the load spreads over all who answer; undefined where it is empty. */
export function pickRandom<Item>(list: readonly Item[], roll: number): Item | undefined {
  return list[Math.floor(roll * list.length)];
}

/** Opens a chat with a number, in whatever form it was written. */
export function whatsappLink(number: string): string {
  return `https://wa.me/${number.replaceAll(/\D/g, "")}`;
}
