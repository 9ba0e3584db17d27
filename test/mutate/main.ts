import { parseArgs } from "node:util";
import { cores } from "../unit.config.ts";
import { GuardReport, GUARDS_FOUND, plantGuards } from "./guards.ts";
import { Lane } from "./lane.ts";
import { plantMutants, sampleOf, sourcesOf, type Mutant } from "./mutants.ts";
import { ReachingTests } from "./reaching-tests.ts";
import { findRefused } from "./refused-mutants.ts";
import { isInNode, type BuiltPage, type TestFile } from "./lane-protocol.ts";
import { lineOf, Report, REPORT } from "./report.ts";
import { Trial, type Finding, type Status } from "./trial.ts";
import type { ReachedFile } from "./worklist.ts";
import { buildMutatedPage, isOfPage } from "./page-build.ts";

// Do the tests notice planted faults? `npm run mutate`, or a part of it: `npm run mutate -- --files
// worker/http,worker/payments/prices/prices.ts --tests test/worker --sample 200 --seed 2 --minutes 30`. Of a sample it leaves
// out what the compiler refuses. Runs add up in one report; `--again` tries only what it holds as survived or not tried.
// `--pages` tries faults of the page in the browser's stories. `--quick` tries each fault in a few tests, and leaves what those
// don't notice for a run without it. `--guards` takes out what protects money, access and privacy. A test must kill each
// survivor, or harmless.json names it with the reason.
const { values } = parseArgs({
  options: {
    files: { type: "string", default: "" },
    tests: { type: "string", default: "" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string" },
    again: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    guards: { type: "boolean", default: false },
    pages: { type: "boolean", default: false },
  },
});

const PROGRESS_MS = 30_000;
const FILES_PER_COUNT = 10;
/** Stories whose loads change with the day or the seed, or that weigh the build, decide nothing about a mutant. */
const UNSTEADY =
  /\/(?:matrix|contradictions|drift|first-html|page-policy|reading-order)(?:\.extended)?\.test\.ts$|\/first-paint\//;
const startedAt = performance.now();
const minutes = () => (performance.now() - startedAt) / 60_000;
const say = (text: string) => console.log(`${minutes().toFixed(1).padStart(6)} min  ${text}`);
const limit = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes);
const isTimeUp = () => minutes() > limit;

const tests = values.tests.split(",").filter(Boolean);
const paths = values.files.split(",").filter(Boolean);
const planted = await (values.guards ? plantGuards(paths) : plantMutants(paths));
const report = values.guards ? new GuardReport(planted) : new Report(planted);
const all = planted.mutants;
const sample = values.sample === undefined ? all : sampleOf(all, Number(values.sample), Number(values.seed));
const wanted = values.again ? sample.filter((mutant) => report.isOpen(mutant)) : sample;
say(`${wanted.length} of ${all.length} mutants in ${planted.sources.size} files`);
const refused =
  values.sample === undefined || values.guards
    ? new Set<Mutant>()
    : findRefused(wanted, planted.sources, { isTimeUp, report: say });
const chosen = wanted.filter((mutant) => !refused.has(mutant));
if (refused.size > 0) say(`the compiler refuses ${refused.size}, which no test can meet`);

// Properties draw as many cases as with `npm run test:extended`.
process.env["PROPERTIES"] ??= "usual";
let lanes: Lane[] = [];
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    closeLanes();
    process.exit(1);
  });
}
try {
  const found = await (values.pages ? tryInStories() : tryInAll());
  report.add(found);
  report.add(new Map([...refused].map((mutant) => [mutant, { status: "CompileError" }])));
  report.write();
  const noticed = chosen.filter((mutant) => isNoticed(found.get(mutant))).length;
  say(`${noticed} of ${chosen.length} noticed by these tests`);
  say(`${refused.size + noticed} of ${wanted.length} noticed by these tests or the compiler`);
  const survivors = report.survivors().filter(({ file }) => planted.sources.has(file));
  for (const mutant of survivors) console.log(lineOf(mutant));
  const stale = report.stale();
  for (const { file, mutator, original } of stale) {
    console.log(`No longer needed in harmless.json: ${file} ${mutator ?? ""} ${original ?? ""}`);
  }
  console.log(report.summary());
  say(`${survivors.length} survivors; the whole report is in ${values.guards ? GUARDS_FOUND : REPORT}`);
  if (survivors.length > 0 || stale.length > 0) process.exitCode = 1;
} finally {
  closeLanes();
}

/** The chosen mutants in the unit tests, in Node and in workerd. */
async function tryInAll(): Promise<Map<Mutant, Finding>> {
  openLanes(new Map());
  const files = (await lanes[0]?.list(tests)) ?? [];
  const reaching = new ReachingTests();
  const tried = chosen.filter(({ file }) => files.some((test) => reaching.loads(test, file)));
  if (tried.length < chosen.length)
    say(`${chosen.length - tried.length} are in files that none of these tests load`);
  // Workerd starts slowly, and has only what no test in Node notices.
  const [inNode, inWorkerd] = [files.filter(isInNode), files.filter((file) => !isInNode(file))];
  const early = await tryIn(inNode, { mutants: tried, reaching });
  const open = tried.filter((mutant) => !isNoticed(early.get(mutant)));
  const late = await tryIn(inWorkerd, { mutants: open, reaching });
  return new Map(tried.flatMap((mutant) => laterOf(mutant, early.get(mutant), late.get(mutant))));
}

/** The chosen mutants of the page in the browser's stories, one file of these after the other. */
async function tryInStories(): Promise<Map<Mutant, Finding>> {
  const ofPage = chosen.filter(({ file }) => isOfPage(file));
  const page = buildMutatedPage(sourcesOf(ofPage, planted.instrumented), ofPage);
  openLanes(new Map(), page);
  const reaching = new ReachingTests();
  const files = ((await lanes[0]?.list(tests)) ?? []).filter(({ moduleId }) => !UNSTEADY.test(moduleId));
  const found = new Map<Mutant, Finding>();
  for (let from = 0; from < files.length && !isTimeUp(); from += lanes.length) {
    const open = ofPage.filter((mutant) => !isNoticed(found.get(mutant)));
    say(`${files.length - from} files of stories and ${open.length} mutants left`);
    const news = await tryIn(files.slice(from, from + lanes.length), { mutants: open, reaching, page });
    for (const mutant of open) {
      const [latest] = laterOf(mutant, found.get(mutant), news.get(mutant));
      const finding = isNoticed(news.get(mutant)) ? news.get(mutant) : latest?.[1];
      if (finding) found.set(mutant, finding);
    }
  }
  return found;
}

/** A mutant has survived once all tests have been tried. */
function laterOf(mutant: Mutant, ...findings: (Finding | undefined)[]): [Mutant, Finding][] {
  const found = findings.filter((one) => one !== undefined);
  const order: Status[] = ["Pending", "Killed", "Timeout", "Survived", "NoCoverage"];
  const decisive = order.map((status) => found.find((one) => one.status === status)).find(Boolean);
  return decisive ? [[mutant, decisive]] : [];
}

function isNoticed(finding: Finding | undefined): boolean {
  return finding?.status === "Killed" || finding?.status === "Timeout";
}

/** Tries mutants in some files of tests. Others may notice what these don't. */
async function tryIn(
  files: readonly TestFile[],
  { mutants, reaching, page }: { mutants: readonly Mutant[]; reaching: ReachingTests; page?: BuiltPage },
): Promise<Map<Mutant, Finding>> {
  const own = mutants.filter(({ file }) => files.some((test) => reaching.loads(test, file)));
  if (own.length === 0) return new Map();
  const instrumented = sourcesOf(own, planted.instrumented);
  // Mutants of a built page need no place in the modules of its stories.
  if (!page) openLanes(instrumented);
  const reached = await reach(files, { instrumented, reaching });
  say(`${reached.length} files of tests reach ${own.length} of them and pass without a mutant`);
  const known = planted.mutants.filter(({ file }) => instrumented.has(file));
  const trial = new Trial(reached, own, { planted: known, isTimeUp, isQuick: values.quick });
  const write = () => {
    report.add(new Map([...trial.findings].filter(([, finding]) => isNoticed(finding))));
    report.write();
  };
  const progress = setInterval(() => {
    say(trial.progress());
    write();
  }, PROGRESS_MS);
  await trial.run(lanes);
  clearInterval(progress);
  write();
  return trial.findings;
}

/** Runs the tests that may reach a chosen mutant, without one. A file that fails could tell nothing. */
async function reach(
  files: readonly TestFile[],
  { instrumented, reaching }: { instrumented: ReadonlyMap<string, string>; reaching: ReachingTests },
): Promise<ReachedFile[]> {
  const waiting = files.filter((file) => reaching.mayReach(file, instrumented.keys()));
  let left = waiting.length;
  const fileOf = new Map(planted.mutants.map(({ id, file }) => [id, file]));
  const sourcesIn = (hits: readonly Record<string, number>[]) =>
    new Set(hits.flatMap((reached) => Object.keys(reached)).flatMap((id) => fileOf.get(id) ?? []));
  const found: ReachedFile[] = [];
  const progress = setInterval(() => say(`${left} files of tests left to count`), PROGRESS_MS);
  const count = async (lane: Lane, batch: TestFile[]) => {
    const counted = await lane.countTogether(batch);
    // The first file of a batch loads what the others find loaded.
    const outside = sourcesIn(counted.flatMap((all) => all?.map((test) => test.reachedOutside) ?? []));
    for (const [index, file] of batch.entries()) {
      const all = counted[index] ?? (await lane.count(file));
      left -= 1;
      if (typeof all === "string") {
        say(`Left out, for it fails without a mutant: ${all.replaceAll("\n", `\n${" ".repeat(12)}`)}`);
        continue;
      }
      const loads = (source: string) => reaching.loads(file, source);
      const sources = sourcesIn(all.flatMap((test) => [test.reached, test.reachedOutside]));
      for (const source of outside) if (loads(source)) sources.add(source);
      reaching.record(file, { reached: sources, instrumented: instrumented.keys() });
      if (sources.size > 0) found.push({ file, tests: all, loads });
    }
  };
  await Promise.all(
    lanes.map(async (lane) => {
      for (let batch = takeBatch(waiting); batch.length > 0; batch = takeBatch(waiting))
        await count(lane, batch);
    }),
  );
  clearInterval(progress);
  return found;
}

/** Takes the next files of one suite off a list. */
function takeBatch(waiting: TestFile[]): TestFile[] {
  const [first] = waiting;
  const batch = waiting.filter(({ project }) => project === first?.project).slice(0, FILES_PER_COUNT);
  for (const file of batch) waiting.splice(waiting.indexOf(file), 1);
  return batch;
}

function openLanes(instrumented: Map<string, string>, page?: BuiltPage): void {
  closeLanes();
  lanes = Array.from({ length: cores }, () => new Lane(instrumented, page));
}

function closeLanes(): void {
  for (const lane of lanes) lane.close();
}
