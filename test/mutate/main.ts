import { parseArgs } from "node:util";
import { maxWorkers } from "../unit.config.ts";
import { Lane } from "./lane.ts";
import { plantMutants, sampleOf } from "./mutants.ts";
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

const lanes = Array.from({ length: maxWorkers }, () => new Lane(planted.instrumented));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    closeLanes();
    process.exit(1);
  });
}
try {
  const reached = await reach();
  say(`${reached.length} files of tests pass without a mutant`);
  const { mutants } = planted;
  const isTimeUp = () => minutes() > limit;
  const trial = new Trial(reached, chosen, { planted: mutants, isTimeUp, isQuick: values.quick });
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

/** Runs all tests without a mutant. A file that fails could tell nothing. */
async function reach(): Promise<Reached> {
  const files = (await lanes[0]?.list(tests)) ?? [];
  const found: Reached = [];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let file = files.shift(); file; file = files.shift()) {
        const counted = await lane.count(file);
        if (typeof counted === "string") say(`Left out, for it fails without a mutant: ${counted}`);
        else found.push({ file, tests: counted });
      }
    }),
  );
  return found;
}

function closeLanes(): void {
  for (const lane of lanes) lane.close();
}
