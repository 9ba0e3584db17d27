import { parseArgs } from "node:util";
import { maxWorkers } from "../unit.config.ts";
import { Lane } from "./lane.ts";
import { plantMutants, sampleOf } from "./mutants.ts";
import { lineOf, Report, REPORT } from "./report.ts";
import { Trial, type Reached } from "./trial.ts";

// Do the tests notice planted faults? `npm run mutate`, or a part of it: `npm run mutate -- --files
// worker/http,worker/payments/prices.ts --tests test/worker --sample 200 --seed 2 --minutes 30`. What survives is killed by a test, or
// named in harmless.json with the reason.
const { values } = parseArgs({
  options: {
    files: { type: "string", default: "" },
    tests: { type: "string", default: "" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string" },
  },
});

const PROGRESS_MS = 30_000;
const startedAt = performance.now();
const minutes = () => (performance.now() - startedAt) / 60_000;
const say = (text: string) => console.log(`${minutes().toFixed(1).padStart(6)} min  ${text}`);
const limit = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes);

const tests = values.tests.split(",").filter(Boolean);
const planted = await plantMutants(values.files.split(",").filter(Boolean));
const all = planted.mutants;
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
  const trial = new Trial(reached, chosen, () => minutes() > limit);
  const report = new Report(trial.findings);
  const progress = setInterval(() => {
    say(trial.progress());
    report.write(planted);
  }, PROGRESS_MS);
  await trial.run(lanes);
  clearInterval(progress);
  report.write(planted);
  const survivors = report.survivors();
  for (const mutant of survivors) console.log(lineOf(mutant));
  for (const { file, mutator, original } of report.needless()) {
    console.log(`No longer needed in harmless.json: ${file} ${mutator ?? ""} ${original ?? ""}`);
  }
  console.log(report.summary());
  say(`${survivors.length} survivors; the whole report is in ${REPORT}`);
  if (survivors.length > 0) process.exitCode = 1;
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
