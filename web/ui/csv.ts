import { saveFile } from "./save-file.ts";

/** A column of a file: its name in the operator's language, and what a row has in it. */
export type CsvColumn<Row> = { title: string; value: (row: Row) => string | number | null };

/** Cells that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A table as a file that spreadsheets read: UTF-8 with its mark, and each line ended as RFC 4180 has it. Cells are separated
 * by commas, or by semicolons where decimals have a comma: Excel goes by the region of the system, and shows a file of the
 * other kind as a single column. A text that would be a formula begins with an apostrophe; figures stay figures.
 * @param locale by default the browser's, which is most often the system's
 */
export function toCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  locale?: string,
): string {
  const decimal = (0.5).toLocaleString(locale, { numberingSystem: "latn" }).charAt(1);
  const separator = decimal === "," ? ";" : ",";
  const lines = [
    columns.map(({ title }) => cellOf(title, decimal)),
    ...rows.map((row) => columns.map(({ value }) => cellOf(value(row), decimal))),
  ];
  return `\uFEFF${lines.map((cells) => `${cells.join(separator)}\r\n`).join("")}`;
}

function cellOf(value: string | number | null, decimal: string): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value).replace(".", decimal);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Money as a figure: `1204.50`. */
export function toAmount(cents: number | null): number | null {
  return cents === null ? null : cents / 100;
}

/** An instant that every spreadsheet reads: `2026-11-22 14:05:00`, in UTC. */
export function toInstant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

/** Hands a table to the browser, as a download. */
export function saveCsv(name: string, text: string): void {
  saveFile(`${name}.csv`, { type: "text/csv;charset=utf-8", text });
}
