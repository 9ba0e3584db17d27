/** An hour is compared with the same one of so many weeks before. */
export const COMPARED_WEEKS = 4;

/** The usual figure of an hour: the middle one of its past weeks, the lower of two, so that one bad week doesn't move it. */
export function usualOf<Counts>(weeks: readonly Counts[], of: (counts: Counts) => number): number {
  const values = weeks.map(of).toSorted((one, other) => one - other);
  return values[Math.floor((values.length - 1) / 2)] ?? 0;
}
