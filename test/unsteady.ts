import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";

/** The most unsteady stories that a run passes with. */
export const MOST_UNSTEADY = 2;
/** More failed stories than these are no chance, and would cost as long as the run. */
export const MOST_AGAIN = 10;

/** A failed story: its file and name, and what it failed with. */
export type FailedStory = { name: string; trace: string };

/** How a run ended, when its failed browser stories were run once more. */
export type RunEnd = {
  /** The failures that stay: outside of the browser, or twice. */
  failed: number;
  /** Stories that failed and then passed alone. */
  unsteady: readonly FailedStory[];
};

/** Whether a run passes. */
export function hasPassed({ failed, unsteady }: RunEnd): boolean {
  return failed === 0 && unsteady.length <= MOST_UNSTEADY;
}

/** Which stories failed first and passed when they were run again. One that was not run again has not passed. */
export function unsteadyOf(
  failed: readonly FailedStory[],
  passedAgain: ReadonlySet<string>,
): readonly FailedStory[] {
  return failed.filter(({ name }) => passedAgain.has(name));
}

/** The lines about unsteady stories, each with its trace, and how often each was unsteady on this machine. */
export function describeUnsteady(unsteady: readonly FailedStory[], counts: UnsteadyCounts): string {
  const stories = unsteady.map(
    ({ name, trace }) => `unsteady  ${name}   (count on this machine: ${counts[name]?.times ?? 1})\n${trace}`,
  );
  const verdict =
    unsteady.length > MOST_UNSTEADY
      ? [`${unsteady.length} unsteady stories: a run passes with ${MOST_UNSTEADY} at most`]
      : [];
  return [...stories, ...verdict].join("\n\n");
}

const unsteadyCounts = z.record(z.string(), z.object({ times: z.number(), lastAt: z.string() }));
type UnsteadyCounts = z.infer<typeof unsteadyCounts>;

/** Counts unsteady stories in a file, and returns what stands there now. */
export function countUnsteady(file: string, unsteady: readonly FailedStory[], at: Date): UnsteadyCounts {
  const counts = readCounts(file);
  for (const { name } of unsteady)
    counts[name] = { times: (counts[name]?.times ?? 0) + 1, lastAt: at.toISOString() };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(counts, null, 2)}\n`);
  return counts;
}

/** Counts that can't be read begin anew: they decide nothing. */
function readCounts(file: string): UnsteadyCounts {
  try {
    return unsteadyCounts.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
