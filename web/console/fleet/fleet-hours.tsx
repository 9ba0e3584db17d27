import type { FleetResponse, FleetSpan } from "../../../worker/contract/console/fleet.ts";
import { DEVICE_TIME_ZONE, formatCount, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { CsvButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";

type Hour = FleetResponse["hours"][number];

const MINUTE_MS = 60_000;

const SERIES = [
  { key: "captures", label: m.fleet_captures, color: "bg-signal" },
  { key: "losses", label: m.fleet_losses, color: "bg-soft" },
  { key: "errors", label: m.fleet_errors, color: "bg-bad" },
] as const;

/** Captures, what was tried and not won, and calls that failed, hour by hour: as bars, and as a table. */
export function FleetHours({ hours, span }: { hours: readonly Hour[]; span: FleetSpan }) {
  const now = useNow(MINUTE_MS);
  const total = (key: (typeof SERIES)[number]["key"]) =>
    formatCount(hours.reduce((sum, hour) => sum + hour[key], 0));
  const busy = hours.filter(({ captures, losses, errors }) => captures + losses + errors > 0).toReversed();
  const columns: Column<Hour>[] = [
    {
      id: "hour",
      title: m.fleet_hour(),
      renderCell: ({ at }) => formatTime(at, { timeZone: DEVICE_TIME_ZONE, now }),
    },
    ...SERIES.map(({ key, label }) => ({
      id: key,
      title: label(),
      renderCell: (hour: Hour) => formatCount(hour[key]),
      isFigure: true,
    })),
  ];
  return (
    <Section
      title={m.fleet_by_hour()}
      note={`${m.fleet_hours_note({
        captures: total("captures"),
        losses: total("losses"),
        errors: total("errors"),
      })}. ${m.fleet_hours_lag()}`}
      actions={
        <CsvButton name="fleet" table={m.fleet_by_hour()} columns={CSV_COLUMNS.fleetHours} rows={hours} />
      }
    >
      {busy.length > 0 && (
        <div aria-hidden className="grid gap-3 px-5 pb-3">
          {SERIES.map(({ key, label, color }) => (
            <Bars
              key={key}
              label={label()}
              color={color}
              values={hours.map((hour) => hour[key])}
              isNarrow={span === "week"}
            />
          ))}
        </div>
      )}
      <div className={busy.length > 0 ? "max-h-80 overflow-y-auto border-t border-line" : ""}>
        <DataTable
          label={m.fleet_by_hour()}
          columns={columns}
          rows={busy}
          rowKey={({ at }) => String(at)}
          empty={m.fleet_quiet()}
        />
      </div>
    </Section>
  );
}

function Bars({
  label,
  color,
  values,
  isNarrow,
}: {
  label: string;
  color: string;
  values: readonly number[];
  isNarrow: boolean;
}) {
  const most = Math.max(...values, 1);
  return (
    <div className="grid gap-1">
      <p className="flex justify-between text-xs text-soft">
        <span>{label}</span>
        <span className="figures">{formatCount(Math.max(...values, 0))}</span>
      </p>
      <div className={`flex h-12 items-end border-b border-edge ${isNarrow ? "" : "gap-0.5"}`}>
        {values.map((value, index) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- the hours have an order and nothing else
            key={index}
            className={`min-w-0 flex-1 ${color}`}
            style={{ height: `${(value / most) * 100}%` }}
          />
        ))}
      </div>
    </div>
  );
}
