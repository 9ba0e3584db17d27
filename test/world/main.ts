import { randomInt } from "node:crypto";
import { URL } from "node:url";
import { parseArgs } from "node:util";
import { SimulatedD1 } from "./host/d1.ts";
import type { DriverRecord } from "./life/driver-life.ts";
import { runFleet } from "./fleet/run-fleet.ts";
import { generateLongWeek, generateWeek, LONG_POLLS } from "./generate.ts";
import { takeOverGlobals } from "./host/globals.ts";
import { judgeFleet } from "./judge/fleet-texts.ts";
import { judge } from "./judge/judge.ts";
import { type Violation } from "./judge/violation.ts";
import { loadDriverClass } from "./life/load-driver.ts";
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
    /**
     * Weeks of this kind alone: `long` ones have 20,000 polls and more, of which a `day` is one; `fleet` is several
     * drivers'.
     */
    kind: { type: "string" },
    /** Weeks in which the rules ask the driver first. */
    asks: { type: "boolean", default: false },
    /** Weeks in which the driver has limits. */
    limits: { type: "boolean", default: false },
    /** Goes on until a violation of this kind. */
    until: { type: "string" },
    /** Reverts fixes, one at a time, and expects a failure of each; with a text, those whose name has it. */
    planted: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

const PROGRESS_MS = 20_000;
/** One week of so many is a long one, and the first of them comes after so many others. */
const LONG_EVERY = 1_000;
const LONG_AFTER = 3;
/** The same of evenings of several drivers. */
const FLEET_EVERY = 200;
const FLEET_AFTER = 6;
const realNow = performance.now.bind(performance);
const root = values.root ? new URL(`file://${values.root}/`) : new URL("../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const WEEKS = {
  week: (seed: number) => generateWeek(seed, { scene, asks: values.asks, isLimited: values.limits }),
  day: (seed: number) => generateLongWeek(seed, 1),
  long: (seed: number) => generateLongWeek(seed),
} as const;
/** `fleet`: one evening of several drivers. */
type WeekKind = keyof typeof WEEKS | "fleet";
const isWeekKind = (name: string): name is WeekKind => name in WEEKS || name === "fleet";
if (values.kind !== undefined && !isWeekKind(values.kind))
  throw new Error(`no week is called ${values.kind}`);
const onlyKind = values.kind === undefined || !isWeekKind(values.kind) ? null : values.kind;
const scene = SCENES.find((name) => name === values.scene) ?? null;
if (values.scene !== undefined && scene === null) throw new Error(`no scene is called ${values.scene}`);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

const live = async (plan: WeekPlan) => {
  const record = await runWeek(plan, { driverClass, d1 });
  return { record, violations: judge(record) };
};
const liveThrough = async (
  kind: WeekKind,
  seed: number,
): Promise<{ records: DriverRecord[]; violations: Violation[] }> => {
  if (kind === "fleet") {
    const evening = await runFleet(seed, { driverClass, d1 });
    return { records: evening.drivers, violations: judgeFleet(evening) };
  }
  const { record, violations } = await live(WEEKS[kind](seed));
  return { records: [record], violations };
};
const nameOf = ({ invariant, cause }: Violation) => `${invariant} / ${cause}`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (values.planted) process.exitCode = findPlants(positionals.join(" "), say) ? 0 : 1;
else if (values.seed !== undefined) await replay(Number(values.seed));
else await soak();

async function replay(seed: number): Promise<void> {
  const kind = onlyKind ?? "week";
  const { violations } = await liveThrough(kind, seed);
  const [first] = violations;
  for (const violation of violations) say(`${nameOf(violation)}: ${violation.says} (${iso(violation.at)})`);
  if (!first) {
    say(`the week of seed ${seed} keeps every invariant`);
    return;
  }
  process.exitCode = 1;
  // Its drivers' scripts are short enough to be read.
  if (kind === "fleet") return;
  const plan = WEEKS[kind](seed);
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
}

async function soak(): Promise<void> {
  const startedAt = realNow();
  const weeks = Number(values.weeks ?? Infinity);
  const limitMs = Number(values.seconds ?? 0) * 1_000 + Number(values.hours ?? 0) * 3_600_000;
  const until = limitMs > 0 ? startedAt + limitMs : Infinity;
  const from = Number(values.from ?? randomInt(1_000_000_000));
  const met = new Map<string, number>();
  const broken = new Map<string, { seeds: number[]; says: string; kind: WeekKind }>();
  let lived = 0;
  let polls = 0;
  let accepts = 0;
  let toldAt = startedAt;
  say(`seeds from ${from}`);
  while (lived < weeks && realNow() < until) {
    const seed = from + lived;
    const kind = kindOf(lived, until - startedAt);
    const { records, violations } = await liveThrough(kind, seed);
    lived += 1;
    const itsPolls = records.reduce((sum, record) => sum + record.polls, 0);
    if (kind === "long" && itsPolls < LONG_POLLS)
      broken.set(`too few polls / ${kind}`, { seeds: [seed], says: `${itsPolls} polls`, kind });
    if (kind !== "week") say(`seed ${seed}, ${kind}: ${itsPolls} polls`);
    polls += itsPolls;
    for (const record of records) {
      accepts += record.network.wire.filter(({ step }) => step === "accept").length;
      for (const [what, count] of record.met) met.set(what, (met.get(what) ?? 0) + count);
    }
    for (const violation of violations) {
      const known = broken.get(nameOf(violation));
      if (!known) say(`BROKEN by seed ${seed}${optionOf(kind)}: ${nameOf(violation)}: ${violation.says}`);
      broken.set(nameOf(violation), {
        seeds: [...new Set([...(known?.seeds ?? []), seed])],
        says: known?.says ?? violation.says,
        kind: known?.kind ?? kind,
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
  for (const [name, { seeds, says, kind }] of broken) {
    const seed = seeds.join(" or ");
    say(
      `BROKEN in ${seeds.length} weeks: ${name}: ${says}\n  npm run soak -- --seed ${seed}${optionOf(kind)}`,
    );
  }
  if (values.met) for (const [what, count] of [...met].toSorted()) say(`${count} ${what}`);
  const unmet = missing(met, lived);
  if (unmet.length > 0) say(`never met: ${unmet.join(", ")}`);
  if (broken.size > 0 || unmet.length > 0) process.exitCode = 1;
}

/**
 * The kind of the next week: a long one and evenings of a fleet among many others, and of those that have a minute at
 * most a day of one.
 */
function kindOf(lived: number, limitMs: number): WeekKind {
  if (onlyKind !== null) return onlyKind;
  if (scene !== null) return "week";
  if (lived % FLEET_EVERY === FLEET_AFTER) return "fleet";
  if (lived % LONG_EVERY !== LONG_AFTER) return "week";
  return limitMs > 60_000 ? "long" : "day";
}

function optionOf(kind: WeekKind): string {
  return kind === "week" ? "" : ` --kind ${kind}`;
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
