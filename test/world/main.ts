import { randomInt } from "node:crypto";
import { URL } from "node:url";
import { parseArgs } from "node:util";
import { SimulatedD1 } from "./d1.ts";
import { generateWeek } from "./generate.ts";
import { takeOverGlobals } from "./globals.ts";
import { judge } from "./judge/judge.ts";
import { type Violation } from "./judge/violation.ts";
import { loadDriverClass } from "./load-driver.ts";
import type { WeekPlan } from "./script.ts";
import { SCENES } from "./scenes.ts";
import { shrinkWeek } from "./shrink.ts";
import { findPlants } from "./planted.ts";
import { missing } from "./sometimes.ts";
import { traceAround } from "./trace.ts";
import { runWeek } from "./week.ts";

// `npm run soak`: driver-weeks in the simulated world, until the time or the count is over, or one breaks.
const { values, positionals } = parseArgs({
  options: {
    /** Replays this one week, shrinks it if it breaks, and shows what happened. */
    seed: { type: "string" },
    /** The first seed of a longer run. */
    from: { type: "string" },
    weeks: { type: "string" },
    hours: { type: "string" },
    seconds: { type: "string" },
    /** Goes on after a week that broke, and lists all at the end. */
    "keep-going": { type: "boolean", default: false },
    /** Another copy of the product. */
    root: { type: "string" },
    met: { type: "boolean", default: false },
    /** Weeks in which nothing but this scene is played. */
    scene: { type: "string" },
    /** Goes on until a violation of this kind. */
    until: { type: "string" },
    /** Reverts fixes, one at a time, and expects a failure of each; with a text, those whose name has it. */
    planted: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

const PROGRESS_MS = 20_000;
const realNow = performance.now.bind(performance);
const root = values.root ? new URL(`file://${values.root}/`) : new URL("../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const scene = SCENES.find((name) => name === values.scene) ?? null;
if (values.scene !== undefined && scene === null) throw new Error(`no scene is called ${values.scene}`);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

const live = async (plan: WeekPlan) => {
  const record = await runWeek(plan, { driverClass, d1 });
  return { record, violations: judge(record) };
};
const nameOf = ({ invariant, cause }: Violation) => `${invariant} / ${cause}`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (values.planted) process.exitCode = findPlants(positionals.join(" "), say) ? 0 : 1;
else if (values.seed !== undefined) await replay(Number(values.seed));
else await soak();

async function replay(seed: number): Promise<void> {
  const plan = generateWeek(seed, scene);
  const { violations } = await live(plan);
  const [first] = violations;
  for (const violation of violations) say(`${nameOf(violation)}: ${violation.says} (${iso(violation.at)})`);
  if (!first) {
    say(`the week of seed ${seed} keeps every invariant`);
    return;
  }
  const small = await shrinkWeek(plan, async (candidate) =>
    (await live(candidate)).violations.some((violation) => nameOf(violation) === nameOf(first)),
  );
  const again = await live(small);
  const found = again.violations.find((violation) => nameOf(violation) === nameOf(first)) ?? first;
  say(
    `\nShrunk from ${plan.items.length} to ${small.items.length} items: ${nameOf(found)}: ${found.says} (${iso(found.at)})`,
  );
  say(JSON.stringify({ ...small, items: [] }));
  for (const item of small.items) say(`${iso(item.at)} ${JSON.stringify(item)}`);
  say(`\n${traceAround(again.record, found)}`);
  process.exitCode = 1;
}

async function soak(): Promise<void> {
  const startedAt = realNow();
  const weeks = Number(values.weeks ?? Infinity);
  const limitMs = Number(values.seconds ?? 0) * 1_000 + Number(values.hours ?? 0) * 3_600_000;
  const until = limitMs > 0 ? startedAt + limitMs : Infinity;
  const from = Number(values.from ?? randomInt(1_000_000_000));
  const met = new Map<string, number>();
  const broken = new Map<string, { seeds: number[]; says: string }>();
  let lived = 0;
  let polls = 0;
  let accepts = 0;
  let toldAt = startedAt;
  say(`seeds from ${from}`);
  while (lived < weeks && realNow() < until) {
    const seed = from + lived;
    const { record, violations } = await live(generateWeek(seed, scene));
    lived += 1;
    polls += record.polls;
    accepts += record.network.wire.filter(({ step }) => step === "accept").length;
    for (const [what, count] of record.met) met.set(what, (met.get(what) ?? 0) + count);
    for (const violation of violations) {
      const known = broken.get(nameOf(violation));
      if (!known) say(`BROKEN by seed ${seed}: ${nameOf(violation)}: ${violation.says}`);
      broken.set(nameOf(violation), {
        seeds: [...new Set([...(known?.seeds ?? []), seed])],
        says: known?.says ?? violation.says,
      });
    }
    if (violations.some((violation) => isSought(violation))) break;
    if (realNow() - toldAt < PROGRESS_MS) continue;
    toldAt = realNow();
    say(
      `${lived} driver-weeks, ${polls} polls, ${accepts} accepts, ${rate(lived, startedAt)} weeks a second`,
    );
  }
  say(`${lived} driver-weeks, ${polls} polls, ${accepts} accepts, ${rate(lived, startedAt)} weeks a second`);
  for (const [name, { seeds, says }] of broken) {
    say(`BROKEN in ${seeds.length} weeks: ${name}: ${says}\n  npm run soak -- --seed ${seeds.join(" or ")}`);
  }
  if (values.met) for (const [what, count] of [...met].toSorted()) say(`${count} ${what}`);
  const unmet = missing(met, lived);
  if (unmet.length > 0) say(`never met: ${unmet.join(", ")}`);
  if (broken.size > 0 || unmet.length > 0) process.exitCode = 1;
}

/** Whether a violation ends the run. */
function isSought(violation: Violation): boolean {
  if (values.until) return new RegExp(values.until).test(nameOf(violation));
  return !values["keep-going"];
}

function rate(lived: number, startedAt: number): string {
  return (lived / ((realNow() - startedAt) / 1000)).toFixed(1);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
