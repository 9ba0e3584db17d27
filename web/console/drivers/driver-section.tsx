import type { DriverTable } from "../../../worker/contract/console/operator-exports.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { formatCount } from "../../features/language/format.ts";
import type { CsvColumn } from "../../ui/csv.ts";
import { DriverCsv } from "./driver-csv.tsx";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";

/** One of a driver's tables, which is also had as a file: their own log then has a line of it. */
export function DriverSection<Row>({
  page,
  part,
  title,
  note,
  columns,
  csvColumns,
  rows,
  rowKey,
}: {
  page: DriverPage;
  part: DriverTable;
  title: string;
  note?: string | undefined;
  columns: readonly Column<Row>[];
  csvColumns: () => readonly CsvColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}) {
  return (
    <Section
      title={title}
      note={note}
      actions={
        <DriverCsv driverId={page.driver.id} part={part} table={title} columns={csvColumns} rows={rows} />
      }
    >
      <DataTable label={title} columns={columns} rows={rows} rowKey={rowKey} empty={m.nothing()} />
      <CutNote page={page} part={part} count={rows.length} />
    </Section>
  );
}

/** Below a table that goes on: its older lines are neither here nor in its file. */
export function CutNote({ page, part, count }: { page: DriverPage; part: DriverTable; count: number }) {
  if (!page.cut.includes(part)) return null;
  return <p className="px-5 py-3 text-sm text-soft">{m.driver_cut({ count: formatCount(count) })}</p>;
}
