import type { OfferHour, WarehouseHours } from "../../../db/shapes/work/offer-hours.ts";
import type { OfferHoursResponse } from "../../../worker/contract/work/offer-hours.ts";
import { m } from "../../messages/messages.js";
import { toAmount, toCsv, type CsvColumn } from "../../ui/files/csv.ts";
import { formatMinuteOfDay, formatWeekday } from "../language/format.ts";
import { formatWeekSpan, weekdayOfHour } from "./hour-labels.ts";

type Row = OfferHour & { warehouse: string };

const columns = (): CsvColumn<Row>[] => [
  { title: m.hours_csv_warehouse(), value: ({ warehouse }) => warehouse },
  { title: m.hours_csv_day(), value: ({ hour }) => formatWeekday(weekdayOfHour(hour)) },
  {
    title: m.hours_csv_hour(),
    value: ({ hour }) => formatMinuteOfDay((hour % 24) * 60).replaceAll("\u00a0", " "),
  },
  { title: m.hours_csv_offers(), value: ({ offers }) => offers },
  { title: m.hours_csv_median(), value: ({ medianHourlyCents }) => toAmount(medianHourlyCents) },
  { title: m.hours_csv_best(), value: ({ bestHourlyCents }) => toAmount(bestHourlyCents) },
  {
    title: m.hours_csv_gone(),
    value: ({ halfGoneMs }) => (halfGoneMs === null ? null : Math.ceil(halfGoneMs / 1000)),
  },
  { title: m.hours_csv_captured(), value: ({ captured }) => captured },
  {
    title: m.hours_csv_start(),
    value: ({ startHour }) => formatWeekSpan(startHour).replaceAll("\u00a0", " "),
  },
];

/** Every hour of every warehouse as a file that spreadsheets read. */
export function hoursCsv(
  { warehouses }: OfferHoursResponse,
  nameOf: (warehouse: WarehouseHours) => string,
): string {
  const rows = warehouses.flatMap((warehouse) =>
    warehouse.hours.map((hour) => ({ ...hour, warehouse: nameOf(warehouse) })),
  );
  return toCsv(columns(), rows);
}
