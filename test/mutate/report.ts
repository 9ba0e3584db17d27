import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { root } from "../unit.config.ts";
import type { Instrumented, Mutant } from "./mutants.ts";
import type { Finding } from "./trial.ts";

/** Where the whole report goes, in the format of Stryker's reports. */
export const REPORT = ".cache/mutation.json";
const HARMLESS = "test/mutate/harmless.json";

/** Faults that no test has to notice, and why. What is not given fits everything in the file. */
const harmlessFault = z.strictObject({
  file: z.string(),
  why: z.string().min(20),
  mutator: z.string().optional(),
  original: z.string().optional(),
  replacement: z.string().optional(),
});
type HarmlessFault = z.output<typeof harmlessFault>;

function fits(fault: HarmlessFault, mutant: Mutant): boolean {
  return (
    fault.file === mutant.file &&
    (fault.mutator ?? mutant.mutator) === mutant.mutator &&
    (fault.original ?? mutant.original) === mutant.original &&
    (fault.replacement ?? mutant.replacement) === mutant.replacement
  );
}

export class Report {
  readonly #harmless = z.array(harmlessFault).parse(JSON.parse(readFileSync(`${root}/${HARMLESS}`, "utf8")));
  readonly #findings: Map<Mutant, Finding>;

  constructor(findings: Map<Mutant, Finding>) {
    this.#findings = findings;
  }

  /** Faults that no test noticed, and nobody called harmless. */
  survivors(): Mutant[] {
    return [...this.#findings]
      .filter(([mutant, { status }]) => isUnnoticed(status) && !this.#harmlessFor(mutant))
      .map(([mutant]) => mutant);
  }

  /** Entries that a test notices after all, or whose source text is gone. */
  needless(): HarmlessFault[] {
    const files = new Set([...this.#findings.keys()].map(({ file }) => file));
    return this.#harmless.filter(
      (fault) =>
        files.has(fault.file) &&
        ![...this.#findings].some(
          ([mutant, { status }]) => fits(fault, mutant) && (isUnnoticed(status) || status === "Pending"),
        ),
    );
  }

  summary(): string {
    const rooms = Map.groupBy(this.#findings, ([{ file }]) => file.split("/").slice(0, 2).join("/"));
    return [...rooms]
      .map(([room, found]) => {
        const counts = Object.groupBy(found, ([mutant, { status }]) => this.#status(mutant, status));
        const figures = Object.entries(counts).map(([status, some]) => `${some?.length} ${status}`);
        return `${room}: ${found.length} mutants: ${figures.join(", ")}`;
      })
      .join("\n");
  }

  write({ sources }: Instrumented): void {
    const files = Map.groupBy(this.#findings, ([{ file }]) => file);
    const report = {
      schemaVersion: "2",
      thresholds: { high: 100, low: 90 },
      files: Object.fromEntries(
        [...files].map(([file, found]) => [
          file,
          {
            language: "typescript",
            source: sources.get(file) ?? "",
            mutants: found.map(([mutant, finding]) => this.#entry(mutant, finding)),
          },
        ]),
      ),
    };
    mkdirSync(`${root}/.cache`, { recursive: true });
    writeFileSync(`${root}/${REPORT}`, JSON.stringify(report, null, 1));
  }

  #entry(mutant: Mutant, { status, killedBy }: Finding) {
    const { id, mutator, original, replacement, start, end } = mutant;
    const why = this.#harmlessFor(mutant)?.why;
    return {
      id,
      mutatorName: mutator,
      original,
      replacement,
      location: { start, end },
      status: this.#status(mutant, status),
      statusReason: (isUnnoticed(status) ? why : undefined) ?? killedBy,
    };
  }

  #status(mutant: Mutant, status: Finding["status"]): Finding["status"] | "Ignored" {
    return isUnnoticed(status) && this.#harmlessFor(mutant) ? "Ignored" : status;
  }

  #harmlessFor(mutant: Mutant): HarmlessFault | undefined {
    return this.#harmless.find((fault) => fits(fault, mutant));
  }
}

function isUnnoticed(status: Finding["status"]): boolean {
  return status === "Survived" || status === "NoCoverage";
}

export function lineOf({ file, line, mutator, original, replacement }: Mutant): string {
  return `${file}:${line} ${mutator}\n    ${original}\n  → ${replacement}`;
}
