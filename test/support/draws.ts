import { RUN_SEED } from "./run-seed.ts";

/**
 * How many cases a property draws: `npm test` a few, an eighth of the usual number unless told, `npm run test:extended` its
 * usual number, `npm run properties` all of them. The first two draw the same again for a commit, and the last others each
 * time.
 */
export type Counts = { whole: number; usual: number; few?: number };

const EXTENT = process.env["PROPERTIES"];

/** The number of cases for which this run has time. */
export function countOf({ whole, usual, few = Math.min(usual, 2 + Math.floor(usual / 8)) }: Counts): number {
  if (EXTENT === "whole") return whole;
  return EXTENT === "usual" ? usual : few;
}

/** The same for a property of fast-check. */
export function draws(counts: Counts): { numRuns: number; seed: number } {
  return { numRuns: countOf(counts), seed: RUN_SEED };
}
