/** Below which share of what is usual a count is too low, and from how many times on it is too high. */
const LOW_SHARE = 0.35;
const HIGH_TIMES = 4;
/** A count that is usually lower says nothing where it falls; one that stays lower is no flood. */
const LEAST_USUAL = 5;
const LEAST_HIGH = 20;

export type Departure = "low" | "high";

/** Whether a count departs from what is usual for its hour: captures that fall away, or errors that pile up. */
export function departureOf(
  value: number,
  usual: number | null | undefined,
  wrongWhen: Departure,
): Departure | null {
  if (usual === null || usual === undefined) return null;
  if (wrongWhen === "low") return usual >= LEAST_USUAL && value < usual * LOW_SHARE ? "low" : null;
  return value >= LEAST_HIGH && value > usual * HIGH_TIMES ? "high" : null;
}

/** The values where a mask holds, and gaps elsewhere: the part of a plot that stands out. */
export function only(values: readonly number[], holds: (index: number) => boolean): (number | null)[] {
  return values.map((value, index) => (holds(index) ? value : null));
}

/** Rows of values one above the other: each row's tops, the uppermost row first, so that lower ones are drawn over it. */
export function stack(rows: readonly (readonly number[])[]): number[][] {
  const tops: number[][] = [];
  for (const row of rows) tops.push(row.map((value, index) => value + (tops.at(-1)?.[index] ?? 0)));
  return tops.toReversed();
}
