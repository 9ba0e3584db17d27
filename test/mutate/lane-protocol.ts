import * as z from "zod";

/** The suite of the user pool where it runs in Node. */
const NODE_IDENTITY = "identity";

/** Suites of the unit tests that reach what mutants are planted in. */
export const UNIT_SUITES = ["engine", "server", "platform-client", "web", "screens"];

/** The suite whose files call the product in Node, and the sandbox in a process of its own. */
export const SANDBOX_SUITE = "sandbox";

/** The suite of the browser's stories. */
export const PAGE_SUITE = "browser";

const NODE_SUITES = [NODE_IDENTITY, SANDBOX_SUITE, ...UNIT_SUITES];

/** Suites that run in Node, where a run starts in a fraction of the time that workerd takes. */
export function isInNode({ project }: TestFile): boolean {
  return NODE_SUITES.includes(project);
}

/** A file of tests in one of the suites. */
const testFile = z.object({ project: z.string(), moduleId: z.string() });
export type TestFile = z.output<typeof testFile>;

/** By mutant, how often it was reached. */
const hits = z.record(z.string(), z.number());

const reachedTest = z.object({ id: z.string(), ms: z.number(), reached: hits, reachedOutside: hits });
/** Which mutants a test reached, and which were reached outside of tests before it ended. */
export type ReachedTest = z.output<typeof reachedTest>;

/** The limit of hits turns an endless loop into an exception. */
const switched = z.object({ id: z.string(), hitLimit: z.number() });
export type Switched = z.output<typeof switched>;

const plan = z.discriminatedUnion("kind", [
  /** All mutants are off, and counted. */
  z.object({ kind: z.literal("count") }),
  /** One mutant is on from the first import on; null is what it is held against. */
  z.object({ kind: z.literal("one"), mutant: switched.nullable() }),
  /** Each test is repeated with each of its mutants in turn, in the same runtime. */
  z.object({ kind: z.literal("many"), mutantsByTest: z.record(z.string(), z.array(switched)) }),
]);
/** The purpose of a run of files. */
export type Plan = z.output<typeof plan>;

/** Unreached: something that an earlier repetition left behind stood in for the mutant's code. */
const verdict = z.enum(["killed", "survived", "unreached"]);
export type Verdict = z.output<typeof verdict>;

/** How Vitest says that a test or a hook took too long. */
export function isTimeout(message: string): boolean {
  return message.includes("timed out");
}

/** A page that is built with mutants, of which its stories count some. */
const builtPage = z.object({ folder: z.string(), mutants: z.array(z.string()) });
export type BuiltPage = z.output<typeof builtPage>;

/** A lane's requests to its process. */
export const laneRequest = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("open"), sources: z.map(z.string(), z.string()), page: builtPage.nullable() }),
  z.object({ kind: z.literal("list"), tests: z.array(z.string()) }),
  z.object({ kind: z.literal("run"), files: z.array(testFile), plan }),
]);
export type LaneRequest = z.output<typeof laneRequest>;

export const laneResponse = z.object({
  files: z.array(testFile),
  /** Which test of each file failed first, or what else went wrong, with the first lines of its error. */
  failures: z.array(z.object({ moduleId: z.string(), name: z.string(), error: z.string() })),
  /** Whether a failure is a time-out, which a busy machine may cause as well. */
  isLate: z.boolean(),
  tests: z.array(
    reachedTest.extend({
      moduleId: z.string(),
      name: z.string(),
      verdicts: z.record(z.string(), verdict),
    }),
  ),
});
export type LaneResponse = z.output<typeof laneResponse>;
