const MOST_NAMES = 3;

/** The known names that are most like a typed one, the nearest first. */
export function nearestNames(typed: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, edits: editsBetween(typed.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, MOST_NAMES)
    .map(({ name }) => name);
}

/** How many letters have to be changed, added or removed to make one word of another. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index += 1) {
      const changed = (row[index - 1] ?? 0) + (other[index - 1] === letter ? 0 : 1);
      next.push(Math.min(changed, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
