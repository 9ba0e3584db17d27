import { useMemo } from "react";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { FleetResponse } from "../../../worker/contract/console/fleet.ts";
import { countInputs, DEVICE_TIME_ZONE, formatCount, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { departureOf, only } from "../plots/departures.ts";
import { PlotFigure, type FigureSeries } from "../plots/plot-figure.tsx";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { Section } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";

type Hour = FleetResponse["hours"][number];

/** Captures, attempts that were not won, and answers, hour by hour, beside what is usual for the hour of the week. */
export function FleetHours({ hours }: { hours: readonly Hour[] }) {
  const now = useNow(MINUTE_MS);
  const parts = useMemo(() => [capturesOf(hours), failuresOf(hours), answersOf(hours)], [hours]);
  const total = (of: (hour: Hour) => number) => formatCount(hours.reduce((sum, hour) => sum + of(hour), 0));
  const isQuiet = hours.every(
    ({ captures, losses, answers, errors }) => captures + losses + answers + errors === 0,
  );
  return (
    <Section
      title={m.fleet_by_hour()}
      note={`${m.fleet_hours_note({
        captures: total(({ captures }) => captures),
        losses: total(({ losses }) => losses),
        errors: total(({ errors }) => errors),
      })}. ${m.fleet_hours_lag()}`}
      actions={
        <CsvButton name="fleet" table={m.fleet_by_hour()} columns={CSV_COLUMNS.fleetHours} rows={hours} />
      }
    >
      {isQuiet ? (
        <p className="px-5 pb-4 text-soft">{m.fleet_quiet()}</p>
      ) : (
        <div className="grid grid-cols-1 lg:grid-cols-3">
          {parts.map((part) => (
            <PlotFigure key={part.label} span={HOUR_MS} formatValue={formatCount} {...part}>
              <Departures part={part} now={now} />
            </PlotFigure>
          ))}
        </div>
      )}
    </Section>
  );
}

/** In words how many hours stand out, and the last of them. */
function Departures({ part: { wrong, at }, now }: { part: HoursPart; now: number }) {
  const last = Math.max(...wrong.keys());
  if (wrong.size === 0) return <p className="mt-1 text-soft">{m.plot_as_usual()}</p>;
  return (
    <p className="mt-1 font-semibold text-bad">
      {m.plot_departs({
        ...countInputs(wrong.size),
        what: wrong.get(last) ?? "",
        time: formatTime(at[last] ?? 0, { timeZone: DEVICE_TIME_ZONE, now }),
      })}
    </p>
  );
}

/** A picture of the fleet's hours: its series, and in a word what is wrong with an hour, by its index. */
type HoursPart = { label: string; at: number[]; series: FigureSeries[]; wrong: Map<number, string> };

/** Captures and losses. Hours with far fewer captures than usual stand out. */
export function capturesOf(hours: readonly Hour[]): HoursPart {
  const values = hours.map(({ captures }) => captures);
  // The running hour has not had its time.
  const isLow = (index: number) => {
    const hour = hours[index];
    return (
      index < hours.length - 1 &&
      hour !== undefined &&
      departureOf(hour.captures, hour.usual?.captures, "low") !== null
    );
  };
  // A bar of nothing can't be seen: where captures stand out by not being there, what is usual is marked.
  const marks = hours.map(({ usual }, index) => (isLow(index) ? (usual?.captures ?? null) : null));
  return {
    label: m.fleet_captures(),
    at: hours.map(({ at }) => at),
    wrong: wrongOf(hours, isLow, m.plot_low()),
    series: [
      { label: m.plot_low(), color: "bad", kind: "bars", values: marks, isMark: true },
      { label: m.fleet_captures(), color: "good", kind: "bars", values },
      { label: m.fleet_losses(), color: "ink-soft", kind: "line", values: hours.map(({ losses }) => losses) },
      {
        label: m.plot_usual(),
        color: "ink",
        kind: "dashes",
        values: hours.map(({ usual }) => usual?.captures ?? null),
      },
    ],
  };
}

/** The platform's usable answers. */
export function answersOf(hours: readonly Hour[]): HoursPart {
  const values = hours.map(({ answers }) => answers);
  return {
    label: m.answers(),
    at: hours.map(({ at }) => at),
    wrong: new Map(),
    series: [{ label: m.answer_ok(), color: "edge", kind: "bars", values }],
  };
}

/** Calls without a usable answer, and refusals. Hours with far more failures than usual stand out. */
export function failuresOf(hours: readonly Hour[]): HoursPart {
  const isHigh = (index: number) => {
    const hour = hours[index];
    return hour !== undefined && departureOf(hour.errors, hour.usual?.errors, "high") !== null;
  };
  const errors = hours.map((hour) => hour.errors);
  return {
    label: m.fleet_errors(),
    at: hours.map(({ at }) => at),
    wrong: wrongOf(hours, isHigh, m.plot_high()),
    series: [
      { label: m.fleet_errors(), color: "edge", kind: "bars", values: errors },
      { label: m.plot_high(), color: "bad", kind: "bars", values: only(errors, isHigh), isMark: true },
      {
        label: m.plot_refusals(),
        color: "warn",
        kind: "line",
        values: hours.map(({ refusals }) => refusals),
      },
      {
        label: m.plot_usual(),
        color: "ink",
        kind: "dashes",
        values: hours.map(({ usual }) => usual?.errors ?? null),
      },
    ],
  };
}

function wrongOf(
  hours: readonly Hour[],
  isWrong: (index: number) => boolean,
  word: string,
): Map<number, string> {
  return new Map(hours.flatMap((_, index) => (isWrong(index) ? [[index, word] as const] : [])));
}
