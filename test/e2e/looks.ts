import { RUN_SEED } from "../support/run-seed.ts";

const IS_WHOLE = process.env["LOOKS"] === "whole";

/**
 * A part of a table's rows, of which each run has another, and all with `LOOKS=whole`: for rows that differ only in what the
 * same code is shown.
 */
export function partOfRun<Row>(rows: readonly Row[], parts: number): Row[] {
  return rows.filter((_row, index) => IS_WHOLE || index % parts === RUN_SEED % parts);
}

/**
 * The looks or languages in which a story is told: one of them, which every story of a run has in common, so that a
 * failure can be repeated; all with `LOOKS=whole`. Every screen in every look is the matrix's subject.
 */
export function looksOfRun<const Look>(looks: readonly Look[]): Look[] {
  const look = looks[RUN_SEED % looks.length];
  return IS_WHOLE || look === undefined ? [...looks] : [look];
}
