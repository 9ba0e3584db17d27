import { useQuery } from "@tanstack/react-query";
import type { FleetDriversResponse, FleetListName } from "../../../worker/contract/console/fleet.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { DEVICE_TIME_ZONE, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import { fleetDriversQuery } from "../calls/fleet.ts";
import { ExportButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { DataTable, ListEnd, Section, type Column } from "../tables/data-table.tsx";
import { FLEET_LIST_LABELS, FLEET_STATE_LABELS } from "./fleet-labels.ts";
import { m } from "../messages/messages.js";
import { QueryState } from "../calls/load-states.tsx";

const MINUTE_MS = 60_000;

type Listed = FleetDriversResponse["drivers"][number];

const NOTES: Partial<Record<FleetListName, () => string>> = {
  stale: m.fleet_stale_note,
  failing: m.fleet_failing_note,
};

const failureColumn = (): Column<Listed> => ({
  id: "failure",
  title: m.fleet_failure(),
  renderCell: ({ failure }) => <span className="break-all">{failure}</span>,
});

/** The drivers behind one of the counts: those who came into it last, or are most overdue, first. */
export function FleetList({ list }: { list: FleetListName }) {
  const now = useNow(MINUTE_MS);
  const found = useQuery(fleetDriversQuery(list));
  const time = (at: number) => formatTime(at, { timeZone: DEVICE_TIME_ZONE, now });
  const isOverdue = list === "stale" || list === "failing";
  const columns: Column<Listed>[] = [
    {
      id: "name",
      title: m.name(),
      renderCell: ({ id, name }) => (
        <a href={CONSOLE_PATHS.driver(id)} className="font-semibold underline underline-offset-4">
          {name}
        </a>
      ),
    },
    {
      id: "phone",
      title: m.phone(),
      renderCell: ({ phone }) => <span className="figures">{formatPhone(phone)}</span>,
      // The error needs the room.
      isWideOnly: list === "failing",
    },
    {
      id: "state",
      title: m.state(),
      renderCell: ({ state }) => state && FLEET_STATE_LABELS[state](),
      isWideOnly: true,
    },
    ...(list === "failing" ? [failureColumn()] : []),
    {
      id: "since",
      title: isOverdue ? m.fleet_due() : m.fleet_since(),
      renderCell: ({ since }) => time(since),
    },
    {
      id: "reported",
      title: m.fleet_reported(),
      renderCell: ({ reportedAt }) => reportedAt !== null && time(reportedAt),
      isWideOnly: true,
    },
  ];
  return (
    <div id="list" className="min-w-0 scroll-mt-4">
      <Section
        title={FLEET_LIST_LABELS[list]()}
        note={NOTES[list]?.()}
        actions={
          <ExportButton
            order={{ table: "fleet", in: list }}
            table={FLEET_LIST_LABELS[list]()}
            columns={CSV_COLUMNS.fleet}
            rowsOf={({ fleet }) => fleet}
          />
        }
      >
        <QueryState query={found} />
        {found.data && (
          <DataTable
            label={FLEET_LIST_LABELS[list]()}
            columns={columns}
            rows={found.data.drivers}
            rowKey={({ id }) => id}
            empty={m.search_none()}
          />
        )}
        {found.data && <ListEnd hasMore={found.data.hasMore} count={found.data.drivers.length} />}
      </Section>
    </div>
  );
}
