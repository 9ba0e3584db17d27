import { useState, type ReactNode } from "react";
import { DEVICE_TIME_ZONE, formatDate, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { toInstant, type CsvColumn } from "../../ui/csv.ts";
import { CsvButton } from "../tables/csv-button.tsx";
import { DataTable, type Column } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";
import { Plot, type PlotColor, type PlotSeries } from "./plot.tsx";

const SWATCHES = {
  good: "bg-good",
  warn: "bg-warn",
  bad: "bg-bad",
  ink: "bg-ink",
  "ink-soft": "bg-soft",
  edge: "bg-edge",
  line: "bg-line",
} satisfies Record<PlotColor, string>;

/** A series as the table names it, or (`isMark`) as the picture alone shows it. */
export type FigureSeries = PlotSeries & {
  isMark?: boolean;
  /** The values of the table and the readout, where the picture shows others: the top of a stack. */
  shown?: readonly (number | null)[];
};

type Figures = {
  label: string;
  at: readonly number[];
  span: number;
  series: readonly FigureSeries[];
  formatValue: (value: number) => string;
  /** A value as a file has it. */
  toCell?: (value: number | null) => number | null;
  wrong?: ReadonlyMap<number, string>;
};

/**
 * A picture with the key to its colors, which says the values under the pointer, and the same numbers as a table under a tap.
 * @param wrong the rows that differ from what is usual, with a word for how
 */
export function PlotFigure({
  label,
  at,
  span,
  series,
  height,
  top,
  formatValue,
  toCell = (value) => value,
  wrong = new Map(),
  children,
}: Figures & { height?: number; top?: number; children?: ReactNode }) {
  const [hovered, setHovered] = useState<number | null>(null);
  const [isTable, setTable] = useState(false);
  const now = useNow(MINUTE_MS);
  const named = series.filter(({ isMark }) => !isMark);
  return (
    <figure aria-label={label} className="flex min-w-0 flex-col">
      <div className="px-4" onMouseLeave={() => setHovered(null)}>
        <Plot
          at={at}
          span={span}
          series={series}
          {...(height !== undefined && { height })}
          top={top}
          formatValue={formatValue}
          onHover={setHovered}
        />
      </div>
      <figcaption className="px-5 pt-1 pb-2 text-sm">
        <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1">
          {named.map((one) => (
            <li key={one.label} className="flex items-center gap-1.5 text-soft">
              <span className={`inline-block h-2.5 w-2.5 rounded-sm ${SWATCHES[one.color]}`} />
              {one.label}
              {hovered !== null && (
                <span className="figures font-semibold text-ink">{valueOf(one, hovered, formatValue)}</span>
              )}
            </li>
          ))}
          {hovered !== null && (
            <li className={`figures ${wrong.has(hovered) ? "font-semibold text-bad" : "text-soft"}`}>
              {[nameOf(at[hovered] ?? 0, { span, now }), wrong.get(hovered)].filter(Boolean).join(": ")}
            </li>
          )}
        </ul>
        {children}
      </figcaption>
      <details
        className="mt-auto border-t border-line"
        onToggle={(event) => setTable(event.currentTarget.open)}
      >
        <summary className="min-h-11 cursor-pointer px-5 py-2.5 text-sm font-semibold underline-offset-4 hover:underline">
          {m.plot_table()}
        </summary>
        {isTable && <FigureTable {...{ label, at, span, series: named, formatValue, toCell, wrong }} />}
      </details>
    </figure>
  );
}

/** The figures of a picture, the latest first. */
export function FigureTable({ label, at, span, series, formatValue, toCell, wrong }: Required<Figures>) {
  const now = useNow(MINUTE_MS);
  const columns: Column<number>[] = [
    {
      id: "at",
      title: span >= DAY_MS ? m.day() : m.fleet_hour(),
      renderCell: (index) => (
        <>
          {nameOf(at[index] ?? 0, { span, now })}
          {wrong.has(index) && <span className="block font-semibold text-bad">{wrong.get(index)}</span>}
        </>
      ),
    },
    ...series.map((one) => ({
      id: one.label,
      title: one.label,
      renderCell: (index: number) => valueOf(one, index, formatValue),
      isFigure: true,
    })),
  ];
  const csvColumns = (): CsvColumn<number>[] => [
    { title: `${m.when()} (UTC)`, value: (index) => toInstant(at[index] ?? 0) },
    ...series.map(({ label: title, shown, values }) => ({
      title,
      value: (index: number) => toCell((shown ?? values)[index] ?? null),
    })),
  ];
  const rows = at.map((_, index) => index).toReversed();
  return (
    <div className="max-h-80 overflow-y-auto border-t border-line">
      <div className="flex justify-end px-5 py-2">
        <CsvButton name="figures" table={label} columns={csvColumns} rows={rows} />
      </div>
      <DataTable
        label={label}
        columns={columns}
        rows={rows}
        rowKey={(index) => String(at[index])}
        empty={m.nothing()}
      />
    </div>
  );
}

function nameOf(at: number, { span, now }: { span: number; now: number }): string {
  return span >= DAY_MS
    ? formatDate(at, DEVICE_TIME_ZONE)
    : formatTime(at, { timeZone: DEVICE_TIME_ZONE, now });
}

function valueOf(
  { shown, values }: FigureSeries,
  index: number,
  formatValue: Figures["formatValue"],
): string {
  const value = (shown ?? values)[index];
  return value === null || value === undefined ? "–" : formatValue(value);
}
