import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { root } from "../unit.config.ts";
import type { Instrumented, Mutant } from "./mutants.ts";
import { STATUSES, type Finding, type Status } from "./trial.ts";

/** Where the whole report goes, in the format of Stryker's reports. */
export const REPORT = ".cache/mutation.json";
const HARMLESS = "test/mutate/harmless.json";
/** The kind of fault that takes out a guard. */
export const GUARD_MUTATOR = "Guard";

/** Faults that no test has to notice, and why. Omitted filters fit everything in the file. */
const harmlessFault = z.strictObject({
  file: z.string(),
  why: z.string().min(20),
  mutator: z.string().optional(),
  original: z.string().optional(),
  replacement: z.string().optional(),
});
type HarmlessFault = z.output<typeof harmlessFault>;

const place = z.object({ line: z.number(), column: z.number() });
const entry = z.object({
  id: z.string(),
  mutatorName: z.string(),
  original: z.string(),
  replacement: z.string(),
  location: z.object({ start: place, end: place }),
  status: z.enum([...STATUSES, "Ignored"]),
  statusReason: z.string().optional(),
});
const earlierReport = z.object({
  files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(entry) })),
});
type Entry = z.output<typeof entry>;

/** A planted fault as the report names it. */
export type Reported = Pick<Mutant, "file" | "mutator" | "original" | "replacement" | "line">;

/**
 * The facts about every planted fault. Runs over parts add up: what an earlier run found out holds until the source file
 * changes.
 */
export class Report {
  readonly #harmless = readHarmless().filter(({ mutator }) => mutator !== GUARD_MUTATOR);
  readonly #files = readEarlier();

  /** `planted` are all faults of the files of this run, tried or not. */
  constructor({ sources, mutants }: Instrumented) {
    for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file)) {
      const source = sources.get(file) ?? "";
      const earlier = this.#files.get(file);
      const known = earlier?.source === source ? earlier.mutants : [];
      const findings = new Map(known.map((one) => [keyOf(one), one]));
      const all = own.map((mutant) => findings.get(keyOf(toEntry(mutant))) ?? toEntry(mutant));
      this.#files.set(file, { source, mutants: all });
    }
  }

  /** Whether a fault has still to be tried, or survived without a reason. */
  isOpen(mutant: Mutant): boolean {
    const known = this.#files.get(mutant.file)?.mutants.find((one) => keyOf(one) === keyOf(toEntry(mutant)));
    return known === undefined || known.status === "Pending" || this.#isSurvivor(mutant.file, known);
  }

  add(findings: Map<Mutant, Finding>): void {
    for (const [file, found] of Map.groupBy(findings, ([mutant]) => mutant.file)) {
      const known = new Map(this.#files.get(file)?.mutants.map((one) => [keyOf(one), one]));
      for (const [mutant, { status, killedBy }] of found) {
        const target = known.get(keyOf(toEntry(mutant)));
        if (!target || status === "Pending") continue;
        target.status = status;
        target.statusReason = killedBy;
      }
    }
  }

  /** Faults that no test noticed, and nobody called harmless. */
  survivors(): Reported[] {
    return this.#all()
      .filter(([file, one]) => this.#isSurvivor(file, one))
      .map(([file, one]) => toReported(file, one));
  }

  /** Entries of the list of harmless faults that a test notices after all, or whose source text is gone. */
  stale(): HarmlessFault[] {
    const all = this.#all();
    return this.#harmless.filter((fault) => {
      if (!existsSync(`${root}/${fault.file}`)) return true;
      const isKnown = this.#files.has(fault.file);
      const holds = ([file, one]: [string, Entry]) =>
        fits(fault, toReported(file, one)) && one.status !== "Killed" && one.status !== "Timeout";
      return isKnown && !all.some(holds);
    });
  }

  /** One line per file. */
  summary(): string {
    const rows = [...this.#files].map(([file, { mutants }]) => {
      const count = (fits: (one: Entry) => boolean) => mutants.filter(fits).length;
      return [
        file,
        mutants.length,
        count(({ status }) => status === "Killed" || status === "Timeout"),
        count((one) => isUnnoticed(one) && !this.#isSurvivor(file, one)),
        count((one) => this.#isSurvivor(file, one)),
        count(({ status }) => status === "Pending"),
      ];
    });
    const titles = ["file", "mutants", "killed", "harmless", "survived", "not tried"];
    const [, ...sums] = titles.map((_title, column) =>
      rows.reduce((sum, row) => sum + Number(row[column]), 0),
    );
    return [titles, ...rows.toSorted(), ["all", ...sums]]
      .map(([name = "", ...figures]) =>
        [String(name).padEnd(45), ...figures.map((one) => String(one).padStart(10))].join(""),
      )
      .join("\n");
  }

  write(): void {
    const files = [...this.#files].toSorted(([one], [other]) => one.localeCompare(other));
    const report = {
      schemaVersion: "2",
      thresholds: { high: 100, low: 90 },
      files: Object.fromEntries(
        files.map(([file, { source, mutants }]) => [
          file,
          { language: "typescript", source, mutants: mutants.map((one) => this.#withReason(file, one)) },
        ]),
      ),
    };
    mkdirSync(`${root}/.cache`, { recursive: true });
    writeFileSync(`${root}/${REPORT}`, JSON.stringify(report, null, 1));
  }

  #withReason(file: string, one: Entry): Entry {
    const fault = isUnnoticed(one) ? this.#harmlessFor(file, one) : undefined;
    return fault ? { ...one, status: "Ignored", statusReason: fault.why } : one;
  }

  #all(): [file: string, one: Entry][] {
    return [...this.#files].flatMap(([file, { mutants }]) =>
      mutants.map((one): [string, Entry] => [file, one]),
    );
  }

  #isSurvivor(file: string, one: Entry): boolean {
    return isUnnoticed(one) && !this.#harmlessFor(file, one);
  }

  #harmlessFor(file: string, one: Entry): HarmlessFault | undefined {
    return this.#harmless.find((fault) => fits(fault, toReported(file, one)));
  }
}

export function readHarmless(): HarmlessFault[] {
  return z.array(harmlessFault).parse(JSON.parse(readFileSync(`${root}/${HARMLESS}`, "utf8")));
}

/** Whether the list says why no test has to notice a fault. */
export function isHarmless(mutant: Reported): boolean {
  return readHarmless().some((fault) => fits(fault, mutant));
}

/** Files that are gone are left out; what was called harmless is judged anew. */
function readEarlier(): Map<string, { source: string; mutants: Entry[] }> {
  if (!existsSync(`${root}/${REPORT}`)) return new Map();
  const { files } = earlierReport.parse(JSON.parse(readFileSync(`${root}/${REPORT}`, "utf8")));
  return new Map(
    Object.entries(files)
      .filter(([file, { source }]) => readSource(file) === source)
      .map(([file, { source, mutants }]) => [file, { source, mutants: mutants.map(withoutReason) }]),
  );
}

function readSource(file: string): string | null {
  return existsSync(`${root}/${file}`) ? readFileSync(`${root}/${file}`, "utf8") : null;
}

function withoutReason(one: Entry): Entry {
  return one.status === "Ignored" ? { ...one, status: "Survived", statusReason: undefined } : one;
}

function fits(fault: HarmlessFault, mutant: Reported): boolean {
  return (
    fault.file === mutant.file &&
    (fault.mutator ?? mutant.mutator) === mutant.mutator &&
    (fault.original ?? mutant.original) === mutant.original &&
    (fault.replacement ?? mutant.replacement) === mutant.replacement
  );
}

function isUnnoticed({ status }: { status: Status | "Ignored" }): boolean {
  return status === "Survived" || status === "NoCoverage" || status === "Ignored";
}

function toEntry({ id, mutator, original, replacement, start, end }: Mutant): Entry {
  const location = { start, end };
  return { id, mutatorName: mutator, original, replacement, location, status: "Pending" };
}

function toReported(file: string, { mutatorName, original, replacement, location }: Entry): Reported {
  return { file, mutator: mutatorName, original, replacement, line: location.start.line };
}

/** Tells the faults of one source text apart. */
function keyOf({ mutatorName, replacement, location: { start, end } }: Entry): string {
  return [start.line, start.column, end.line, end.column, mutatorName, replacement].join(" ");
}

export function lineOf({ file, line, mutator, original, replacement }: Reported): string {
  return `${file}:${line} ${mutator}\n    ${original}\n  → ${replacement}`;
}
