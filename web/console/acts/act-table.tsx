import type { ActFacts } from "../../../db/shapes/operators.ts";
import type { ActEntry } from "../../../worker/contract/console/operators.ts";
import { DEVICE_TIME_ZONE } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { ACT_LABELS, currencyIn, formatFacts } from "./act-labels.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { DataTable, type Column } from "../tables/data-table.tsx";
import { formatInstant } from "../../features/language/format-instant.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";

const MINUTE_MS = 60_000;

/** Lines of the log: who, when, what, why, and how things stood before and after. */
export function ActTable({ acts, hasDriver = false }: { acts: readonly ActEntry[]; hasDriver?: boolean }) {
  const now = useNow(MINUTE_MS);
  const { currency } = useOperator();
  // A refund's money has the currency of its payment, which the line names.
  const facts = (of: ActFacts, { what, after }: ActEntry) =>
    formatFacts(of, { currency: currencyIn(after) ?? currencyIn(what) ?? currency, now });
  const columns: Column<ActEntry>[] = [
    {
      id: "when",
      title: m.when(),
      renderCell: ({ at }) => formatInstant(at, { timeZone: DEVICE_TIME_ZONE, now }),
    },
    {
      id: "what",
      title: m.what(),
      renderCell: (line) => (
        <span data-act={line.id}>
          <span className="block font-semibold">{ACT_LABELS[line.act]()}</span>
          <span className="wrap-anywhere text-soft">{facts(line.what, line)}</span>
          <span className="block break-all text-soft md:hidden">{line.operator}</span>
        </span>
      ),
    },
    { id: "before", title: m.before(), renderCell: (line) => facts(line.before, line), isWideOnly: true },
    { id: "after", title: m.after(), renderCell: (line) => facts(line.after, line) },
    { id: "why", title: m.why(), renderCell: ({ reason }) => <span className="break-words">{reason}</span> },
    {
      id: "who",
      title: m.who(),
      renderCell: ({ operator }) => <span className="break-all">{operator}</span>,
      isWideOnly: true,
    },
    ...(hasDriver ? [driverColumn] : []),
  ];
  return (
    <DataTable label={m.acts()} columns={columns} rows={acts} rowKey={({ id }) => id} empty={m.nothing()} />
  );
}

const driverColumn: Column<ActEntry> = {
  id: "driver",
  title: m.driver(),
  renderCell: ({ driverId }) =>
    driverId && (
      <a href={CONSOLE_PATHS.driver(driverId)} className="underline underline-offset-4">
        {driverId.slice(0, 8)}
      </a>
    ),
};
