import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { PLAN_DAYS, PLANS_FOR_SALE, SEED_PRICES } from "../../../db/shapes/plans.ts";
import { m } from "../../messages/messages.js";
import { formatDays, formatMoney } from "../language/format.ts";
import { DemoPage } from "./demo-page.tsx";

type Row = { days: number; cents: number; perDay: number };

const ROWS: Row[] = PLANS_FOR_SALE.map((plan) => {
  const days = PLAN_DAYS[plan];
  const cents = SEED_PRICES[plan];
  return { days, cents, perDay: Math.round(cents / days) };
});

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
const column = createColumnHelper<typeof features, Row>();
const COLUMNS = column.columns([
  column.accessor("days", { header: () => m.demo_table_plan(), cell: (cell) => formatDays(cell.getValue()) }),
  column.accessor("cents", {
    header: () => m.demo_table_price(),
    cell: (cell) => formatMoney(cell.getValue(), "USD"),
  }),
  column.accessor("perDay", {
    header: () => m.demo_table_day(),
    cell: (cell) => formatMoney(cell.getValue(), "USD"),
  }),
]);

const ORDERS = {
  asc: { Icon: ArrowUp, aria: "ascending" },
  desc: { Icon: ArrowDown, aria: "descending" },
  none: { Icon: ArrowUpDown, aria: "none" },
} as const;

/** The plans in a sortable table. */
export function TableDemo() {
  const table = useTable({ features, columns: COLUMNS, data: ROWS });
  return (
    <DemoPage title={m.demo_table()}>
      <table className="figures w-full text-left">
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
                      className="flex min-h-11 items-center gap-1 font-semibold"
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
                <td key={cell.id} className="py-2">
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </DemoPage>
  );
}
