const DAY_MS = 86_400_000;
const IS_WHOLE = process.env["LOOKS"] === "whole";

/**
 * A part of a table's rows, of which each day has another, and all with `LOOKS=whole`: for rows that differ only in what the
 * same code is shown.
 */
export function partOfToday<Row>(rows: readonly Row[], parts: number): Row[] {
  const today = Math.floor(Date.now() / DAY_MS) % parts;
  return rows.filter((_row, index) => IS_WHOLE || index % parts === today);
}

/**
 * The looks or languages in which a story is told: one of them, which every story of a day has in common, so that a
 * failure can be repeated; all with `LOOKS=whole`. Every screen in every look is the matrix's subject.
 */
export function looksOfToday<const Look>(looks: readonly Look[]): Look[] {
  const today = looks[Math.floor(Date.now() / DAY_MS) % looks.length];
  return IS_WHOLE || today === undefined ? [...looks] : [today];
}
