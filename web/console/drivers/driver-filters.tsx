import { useQuery } from "@tanstack/react-query";
import type { DaySchedule, WarehouseFilter } from "../../../db/shapes/work/filters.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { formatRule } from "../../features/filters/part-labels.ts";
import { formatClockRange, formatRate, formatWeekday } from "../../features/language/format.ts";
import { liveQuery } from "../calls/drivers.ts";
import type { CsvColumn } from "../../ui/csv.ts";
import { DriverCsv } from "./driver-csv.tsx";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";

const MINUTE_MS = 60_000;
/** A Monday at midnight UTC. */
const MONDAY = Date.UTC(2024, 0, 1);

/** The driver's filters, to be read only: they are the driver's own to change. */
export function DriverFilters({ page }: { page: DriverPage }) {
  const { currency } = useOperator();
  const live = useQuery(liveQuery(page.driver.id));
  const nameOf = ({ warehouseId }: WarehouseFilter) =>
    live.data?.snapshot?.warehouses.find((known) => known.warehouseId === warehouseId)?.name ?? warehouseId;
  const { filters, isComplete, version } = page.filters;
  const note = isComplete ? m.filters_complete({ version }) : m.filters_incomplete({ version });
  const selected = filters.warehouses.filter((warehouse) => warehouse.selected);
  const csvColumns = (): CsvColumn<WarehouseFilter>[] => [
    { title: "ID", value: ({ warehouseId }) => warehouseId },
    { title: m.warehouse(), value: nameOf },
    { title: m.rule(), value: (rule) => formatRule(rule, currency) },
  ];
  const columns: Column<WarehouseFilter>[] = [
    { id: "warehouse", title: m.warehouse(), renderCell: nameOf },
    { id: "rule", title: m.rule(), renderCell: (rule) => formatRule(rule, currency) },
  ];
  return (
    <Section
      title={m.filters()}
      note={note}
      actions={
        <DriverCsv
          driverId={page.driver.id}
          part="filters"
          table={m.filters()}
          columns={csvColumns}
          rows={selected}
        />
      }
    >
      <dl className="grid gap-2 px-5 pb-3 text-sm">
        <div>
          <dt className="text-soft">{m.filters_hourly()}</dt>
          <dd>
            {filters.minHourlyCents === null
              ? m.filters_none()
              : formatRate(filters.minHourlyCents, currency)}
          </dd>
        </div>
        <div>
          <dt className="text-soft">{m.filters_schedule()}</dt>
          <dd className="figures grid grid-cols-[auto_1fr] gap-x-3">
            {filters.schedule.map((day, index) => (
              <ScheduleDay key={formatWeekday(index + 1)} weekday={index + 1} day={day} />
            ))}
          </dd>
        </div>
      </dl>
      <DataTable
        label={m.filters()}
        columns={columns}
        rows={selected}
        rowKey={({ warehouseId }) => warehouseId}
        empty={m.filters_all_off()}
      />
    </Section>
  );
}

function ScheduleDay({ weekday, day }: { weekday: number; day: DaySchedule }) {
  return (
    <>
      <span>{formatWeekday(weekday, "short")}</span>
      <span>{day.active ? windowText(day) : m.filters_off()}</span>
    </>
  );
}

/** A window whose ends are the same is one of 24 hours. */
function windowText({ start, end }: DaySchedule): string {
  if (start === end) return m.filters_all_day();
  const span = { startsAt: MONDAY + start * MINUTE_MS, endsAt: MONDAY + end * MINUTE_MS };
  return formatClockRange(span, "UTC");
}
