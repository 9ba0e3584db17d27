/**
 * `npm test` draws some cases, others each time, and `npm run properties` draws many more. A failure shows its seed, which
 * `PROPERTIES_SEED` draws first.
 */
const IS_WHOLE = process.env["PROPERTIES"] === "whole";
const SEED = process.env["PROPERTIES_SEED"];

/** How many cases are drawn: all of them, or as many as a usual run has time for. */
export function countOf({ whole, usual }: { whole: number; usual: number }): number {
  return IS_WHOLE ? whole : usual;
}

/** The same for a property of fast-check. */
export function draws(counts: { whole: number; usual: number }): { numRuns: number; seed?: number } {
  return { numRuns: countOf(counts), ...(SEED === undefined ? {} : { seed: Number(SEED) }) };
}

/** The first seed of a run that counts on from it. */
export function firstSeed(): number {
  return SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(SEED);
}
