/** Runs work for each item, so many at a time. Rejects with the first that rejects. */
export async function eachLimit<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: Math.min(limit, items.length) }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
