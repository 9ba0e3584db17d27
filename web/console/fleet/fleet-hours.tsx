import { useMemo } from "react";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { FleetResponse } from "../../../worker/contract/console/fleet.ts";
import { DEVICE_TIME_ZONE, formatCount, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { PlotFigure } from "../plots/plot-figure.tsx";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { Section } from "../tables/data-table.tsx";
import { answersOf, capturesOf, failuresOf, type HoursPart } from "./hour-parts.ts";
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
        count: formatCount(wrong.size),
        what: wrong.get(last) ?? "",
        time: formatTime(at[last] ?? 0, { timeZone: DEVICE_TIME_ZONE, now }),
      })}
    </p>
  );
}
