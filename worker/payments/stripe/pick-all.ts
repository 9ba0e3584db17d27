/**
 * Reads a list of Stripe's to its end, page by page, and keeps of each object only what is picked: the objects of some days of
 * ten thousand drivers are more than a Worker has memory for.
 * @param most the number of objects after which it stops
 */
export async function pickAll<Item, Picked>(
  list: AsyncIterable<Item>,
  pick: (item: Item) => readonly Picked[],
  most = Infinity,
): Promise<Picked[]> {
  const picked: Picked[] = [];
  let read = 0;
  for await (const item of list) {
    picked.push(...pick(item));
    read += 1;
    if (read >= most) break;
  }
  return picked;
}
