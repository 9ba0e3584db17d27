import type { Cents } from "../../../db/shapes/units.ts";
import type { OfferHour, WarehouseHours } from "../../../db/shapes/work/offer-hours.ts";
import type { OfferHoursResponse } from "../../../worker/contract/work/statistics.ts";
import { m } from "../../messages/messages.js";
import { toAmount, toCsv, type CsvColumn } from "../../ui/csv.ts";
import { formatMinuteOfDay, formatWeekday } from "../language/format.ts";
import { formatWeekSpan, weekdayOfHour } from "./hour-labels.ts";

/** An hour with offers, or one that was watched and had none: what nobody watched says nothing. */
type Row = Pick<OfferHour, "hour" | "offers" | "captured" | "halfGoneMs"> & {
  warehouse: string;
  medianHourlyCents: Cents | null;
  bestHourlyCents: Cents | null;
  startHour: number | null;
  watchedMinutes: number | null;
};

const NO_OFFERS = {
  offers: 0,
  medianHourlyCents: null,
  bestHourlyCents: null,
  halfGoneMs: null,
  captured: 0,
  startHour: null,
} as const;

const amountOf = (cents: Cents | null) => (cents === null ? null : toAmount(cents));

const columns = (): CsvColumn<Row>[] => [
  { title: m.hours_csv_warehouse(), value: ({ warehouse }) => warehouse },
  { title: m.hours_csv_day(), value: ({ hour }) => formatWeekday(weekdayOfHour(hour)) },
  {
    title: m.hours_csv_hour(),
    value: ({ hour }) => formatMinuteOfDay((hour % 24) * 60).replaceAll("\u00a0", " "),
  },
  { title: m.hours_csv_offers(), value: ({ offers }) => offers },
  { title: m.hours_csv_median(), value: ({ medianHourlyCents }) => amountOf(medianHourlyCents) },
  { title: m.hours_csv_best(), value: ({ bestHourlyCents }) => amountOf(bestHourlyCents) },
  {
    title: m.hours_csv_gone(),
    value: ({ halfGoneMs }) => (halfGoneMs === null ? null : Math.ceil(halfGoneMs / 1000)),
  },
  { title: m.hours_csv_captured(), value: ({ captured }) => captured },
  {
    title: m.hours_csv_start(),
    value: ({ startHour }) =>
      startHour === null ? null : formatWeekSpan(startHour).replaceAll("\u00a0", " "),
  },
  { title: m.hours_csv_watched(), value: ({ watchedMinutes }) => watchedMinutes },
];

/** Every hour of every warehouse as a file that spreadsheets read. */
export function hoursCsv(
  { warehouses }: OfferHoursResponse,
  nameOf: (warehouse: WarehouseHours) => string,
): string {
  const rows = warehouses.flatMap((warehouse) =>
    rowsOf(warehouse).map((row) => ({ ...row, warehouse: nameOf(warehouse) })),
  );
  return toCsv(columns(), rows);
}

function rowsOf({ hours, watchedMinutes }: WarehouseHours): Omit<Row, "warehouse">[] {
  if (!watchedMinutes) return hours.map((hour) => ({ ...hour, watchedMinutes: null }));
  const byHour = new Map(hours.map((each) => [each.hour, each]));
  return watchedMinutes.flatMap((minutes, hour) => {
    const counted = byHour.get(hour) ?? (minutes > 0 ? { ...NO_OFFERS, hour } : null);
    return counted ? [{ ...counted, watchedMinutes: minutes }] : [];
  });
}
