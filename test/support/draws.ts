import { RUN_SEED } from "./run-seed.ts";

/** `npm test` draws some cases, others for each commit, and `npm run properties` draws many more, others each time. */
const IS_WHOLE = process.env["PROPERTIES"] === "whole";

/** How many cases are drawn: all of them, or as many as a usual run has time for. */
export function countOf({ whole, usual }: { whole: number; usual: number }): number {
  return IS_WHOLE ? whole : usual;
}

/** The same for a property of fast-check. */
export function draws(counts: { whole: number; usual: number }): { numRuns: number; seed: number } {
  return { numRuns: countOf(counts), seed: RUN_SEED };
}
