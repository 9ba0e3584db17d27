import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { useMemo, useState } from "react";
import { m } from "../../messages/messages.js";
import { Field, INPUT_CLASS } from "../../ui/inputs/field.tsx";
import { formatExactMoney, formatHours, formatMinuteOfDay, formatWeekday } from "../language/format.ts";
import { EXAMPLE_EVENING, type ExampleOffer } from "../landing/example-evening.ts";
import { DemoPage } from "./demo-page.tsx";

const OUTCOMES = [
  { value: "all", label: m.demo_table_all },
  { value: "won", label: m.feed_captured },
  { value: "rejected", label: m.demo_table_passed_over },
  { value: "lost", label: m.demo_table_gone },
] as const;

const MINUTES_PER_DAY = 1440;

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
const column = createColumnHelper<typeof features, ExampleOffer>();
const COLUMNS = column.columns([
  column.accessor("name", { header: () => m.demo_table_place() }),
  column.accessor(({ day, minute }) => day * MINUTES_PER_DAY + minute, {
    id: "starts",
    header: () => m.demo_table_starts(),
    cell: ({ row: { original } }) =>
      `${formatWeekday(original.day, "short")} ${formatMinuteOfDay(original.minute)}`,
  }),
  column.accessor("minutes", {
    header: () => m.demo_table_hours(),
    cell: (cell) => formatHours(cell.getValue()),
  }),
  column.accessor("cents", {
    header: () => m.demo_table_pay(),
    cell: (cell) => formatExactMoney(cell.getValue(), "USD"),
  }),
]);

const ORDERS = {
  asc: { Icon: ArrowUp, aria: "ascending" },
  desc: { Icon: ArrowDown, aria: "descending" },
  none: { Icon: ArrowUpDown, aria: "none" },
} as const;

/** Blocks in a table that sorts by each column, and shows one outcome or all. */
export function TableDemo() {
  const [outcome, setOutcome] = useState("all");
  const data = useMemo(
    () => EXAMPLE_EVENING.filter(({ kind }) => outcome === "all" || kind === outcome),
    [outcome],
  );
  const table = useTable({ features, columns: COLUMNS, data });
  return (
    <DemoPage title={m.demo_table()} text={m.demo_table_text()} code="web/features/demo/table-demo.tsx">
      <Field label={m.demo_table_outcome()}>
        {(inputProps) => (
          <select
            {...inputProps}
            value={outcome}
            onChange={({ target }) => setOutcome(target.value)}
            className={INPUT_CLASS}
          >
            {OUTCOMES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label()}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="overflow-x-auto">
        <table className="figures w-full text-left text-sm">
          <caption className="sr-only">{m.demo_table()}</caption>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((header) => {
                  const { Icon, aria } = ORDERS[header.column.getIsSorted() || "none"];
                  return (
                    <th key={header.id} scope="col" aria-sort={aria}>
                      <button
                        type="button"
                        onClick={header.column.getToggleSortingHandler()}
                        className="flex min-h-11 items-center gap-1 pr-3 font-semibold"
                      >
                        <table.FlexRender header={header} />
                        <Icon aria-hidden className="size-4 text-soft" />
                      </button>
                    </th>
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} className="border-t border-line">
                {row.getAllCells().map((cell) => (
                  // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the cell's text comes from its column
                  <td key={cell.id} className="py-2 pr-3">
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </DemoPage>
  );
}
