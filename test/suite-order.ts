import { globSync, statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The suites that `npm test` leaves to `npm run test:extended`: in Node, of the Worker, of the user pool in workerd, and
 * properties with their usual number of draws.
 */
export const EXTENDED_SUITES = ["extended", "extended-worker", "extended-identity", "properties"] as const;

/**
 * The order of the suites, of which a worker takes one file after the other. The simulated weeks use a core for as long as they
 * are given, so they begin while stories wait for a browser; the suites of short files come last, so that all cores end
 * at once.
 */
export const SUITES = [
  "world",
  "browser",
  ...EXTENDED_SUITES,
  "worker",
  "identity",
  "sandbox",
  "web",
  "screens",
  "server",
  "platform-client",
  "engine",
] as const;

/** A file of tests: its suite, how long it took in the last run, where one was recorded, and its size. */
export type TestFile = { suite: string; ms: number | undefined; bytes: number };

/** By suite, and within one the longest first: the last file to begin decides when the run ends. */
export function inOrder<File extends TestFile>(files: readonly File[]): File[] {
  const isRecorded = files.every(({ ms }) => ms !== undefined);
  const costOf = ({ ms = 0, bytes }: TestFile) => (isRecorded ? ms : bytes);
  return files.toSorted((one, other) => placeOf(one) - placeOf(other) || costOf(other) - costOf(one));
}

function placeOf({ suite }: TestFile): number {
  const place = SUITES.findIndex((name) => name === suite);
  if (place < 0) throw new Error(`the suite ${suite} has no place in test/suite-order.ts`);
  return place;
}

/** Vitest's own order takes suites by name, so that the last one runs alone. */
export class SuiteOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const files = specifications.map((specification) => ({
      specification,
      suite: specification.project.name,
      ms: this.ctx.cache.getTestSpecificationResult(specification)?.duration,
      bytes: bytesOf(specification.moduleId),
    }));
    return inOrder(files).map(({ specification }) => specification);
  }
}

/** The size of a file with the stories in the folder of its name. */
function bytesOf(moduleId: string): number {
  const stories = globSync(`${moduleId.replace(/(?:\.extended)?\.test\.ts$/, "")}/**/*.ts`);
  return [moduleId, ...stories].reduce((sum, file) => sum + statSync(file).size, 0);
}
