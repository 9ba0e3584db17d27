import { parseArgs } from "node:util";
import { maxWorkers } from "../unit.config.ts";
import { Lane } from "./lane.ts";
import { plantMutants, sampleOf, sourcesOf } from "./mutants.ts";
import { ReachingTests } from "./reaching-tests.ts";
import type { TestFile } from "./lane-protocol.ts";
import { lineOf, Report, REPORT } from "./report.ts";
import { Trial, type Reached } from "./trial.ts";

// Do the tests notice planted faults? `npm run mutate`, or a part of it: `npm run mutate -- --files
// worker/http,worker/payments/prices/prices.ts --tests test/worker --sample 200 --seed 2 --minutes 30`. Runs add up in one
// report; `--again` tries only what it holds as survived or not tried. `--quick` tries each fault in a few tests, and
// leaves what those don't notice for a run without it. A test must kill each survivor, or harmless.json names it with the
// reason.
const { values } = parseArgs({
  options: {
    files: { type: "string", default: "" },
    tests: { type: "string", default: "" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string" },
    again: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});

const PROGRESS_MS = 30_000;
const startedAt = performance.now();
const minutes = () => (performance.now() - startedAt) / 60_000;
const say = (text: string) => console.log(`${minutes().toFixed(1).padStart(6)} min  ${text}`);
const limit = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes);

const tests = values.tests.split(",").filter(Boolean);
const planted = await plantMutants(values.files.split(",").filter(Boolean));
const report = new Report(planted);
const all = values.again ? planted.mutants.filter((mutant) => report.isOpen(mutant)) : planted.mutants;
const chosen = values.sample === undefined ? all : sampleOf(all, Number(values.sample), Number(values.seed));
say(`${chosen.length} of ${all.length} mutants in ${planted.sources.size} files`);

const instrumented = sourcesOf(chosen, planted.instrumented);
const lanes = Array.from({ length: maxWorkers }, () => new Lane(instrumented));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    closeLanes();
    process.exit(1);
  });
}
try {
  const files = (await lanes[0]?.list(tests)) ?? [];
  const reaching = new ReachingTests();
  const tried = chosen.filter(({ file }) => files.some((test) => reaching.loads(test, file)));
  if (tried.length < chosen.length)
    say(`${chosen.length - tried.length} are in files that none of these tests load`);
  const reached = await reach(files, reaching);
  say(`${reached.length} files of tests reach them and pass without a mutant`);
  const mutants = planted.mutants.filter(({ file }) => instrumented.has(file));
  const isTimeUp = () => minutes() > limit;
  const trial = new Trial(reached, tried, { planted: mutants, isTimeUp, isQuick: values.quick });
  const write = () => {
    report.add(trial.findings);
    report.write();
  };
  const progress = setInterval(() => {
    say(trial.progress());
    write();
  }, PROGRESS_MS);
  await trial.run(lanes);
  clearInterval(progress);
  write();
  const survivors = report.survivors().filter(({ file }) => planted.sources.has(file));
  for (const mutant of survivors) console.log(lineOf(mutant));
  const stale = report.stale();
  for (const { file, mutator, original } of stale) {
    console.log(`No longer needed in harmless.json: ${file} ${mutator ?? ""} ${original ?? ""}`);
  }
  console.log(report.summary());
  say(`${survivors.length} survivors; the whole report is in ${REPORT}`);
  if (survivors.length > 0 || stale.length > 0) process.exitCode = 1;
} finally {
  closeLanes();
}

/** Runs the tests that may reach a chosen mutant, without one. A file that fails could tell nothing. */
async function reach(files: readonly TestFile[], reaching: ReachingTests): Promise<Reached> {
  const waiting = files.filter((file) => reaching.mayReach(file, instrumented.keys()));
  const fileOf = new Map(planted.mutants.map(({ id, file }) => [id, file]));
  const found: Reached = [];
  const progress = setInterval(() => say(`${waiting.length} files of tests left to count`), PROGRESS_MS);
  await Promise.all(
    lanes.map(async (lane) => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const counted = await lane.count(file);
        if (typeof counted === "string") {
          say(`Left out, for it fails without a mutant: ${counted}`);
          continue;
        }
        const ids = counted.flatMap((test) => [
          ...Object.keys(test.reached),
          ...Object.keys(test.reachedOutside),
        ]);
        const sources = new Set(ids.flatMap((id) => fileOf.get(id) ?? []));
        reaching.record(file, { reached: sources, instrumented: instrumented.keys() });
        if (sources.size > 0) found.push({ file, tests: counted });
      }
    }),
  );
  clearInterval(progress);
  return found;
}

function closeLanes(): void {
  for (const lane of lanes) lane.close();
}
