/** Of gaps between polls, which lie evenly around the interval. */
const JITTER = 0.15;
const BIN_MS = 10;

/**
 * A gap is a jitter, even between the shortest and the longest, plus how late the poll was. So the share of polls that
 * were later than t is the density of gaps at (longest + t), times the jitter's width, and that of every width beyond.
 */
export function p99Lateness(gaps: readonly number[], intervalMs: number): number {
  const longestGapMs = (1 + JITTER) * intervalMs;
  const widthMs = 2 * JITTER * intervalMs;
  const density = (gapMs: number) =>
    gaps.filter((gap) => Math.abs(gap - gapMs) <= BIN_MS).length / gaps.length / (2 * BIN_MS);
  const longest = Math.max(0, ...gaps);
  for (let lateMs = 0; longestGapMs + lateMs <= longest; lateMs += BIN_MS) {
    let later = 0;
    for (let gap = longestGapMs + lateMs; gap <= longest + BIN_MS; gap += widthMs)
      later += widthMs * density(gap);
    if (later <= 0.01) return lateMs;
  }
  return Math.max(0, longest - longestGapMs);
}
