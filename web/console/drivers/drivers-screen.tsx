import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { FoundDriver } from "../../../worker/contract/console/operator-drivers.ts";
import { formatPhone } from "../../../locales/phone-number.ts";
import { DEVICE_TIME_ZONE, formatCount, formatLongDate } from "../../features/language/format.ts";
import { Field, INPUT_CLASS } from "../../ui/inputs/field.tsx";
import { FormError } from "../../ui/notices.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { searchQuery } from "../calls/drivers.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { ExportButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, type Column } from "../tables/data-table.tsx";
import { consoleErrorMessage, useOperator } from "../calls/operator.ts";
import { m } from "../messages/messages.js";

/** Finding a driver, with what was typed kept in the address. */
export function DriversScreen({ initialQuery }: { initialQuery: string }) {
  const [typed, setTyped] = useState(initialQuery);
  const query = useDeferredValue(typed.trim());
  const me = useOperator();
  const found = useQuery(searchQuery(query));
  const type = (value: string) => {
    setTyped(value);
    history.replaceState(null, "", CONSOLE_PATHS.driversLike(value));
  };
  return (
    <>
      <div className="grid max-w-xl gap-4">
        <h1 className="text-2xl">{m.search_title()}</h1>
        <Field label={m.search_label()} hint={m.search_hint()}>
          {(props) => (
            <input
              {...props}
              type="search"
              autoComplete="off"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do here
              autoFocus
              value={typed}
              onChange={(event) => type(event.target.value)}
              className={INPUT_CLASS}
            />
          )}
        </Field>
      </div>
      {found.isError && <FormError title={consoleErrorMessage(found.error, me)} />}
      {found.data && found.data.drivers.length === 0 && (
        <StatusPanel Icon={SearchX} title={m.search_none()}>
          {m.search_none_text()}
        </StatusPanel>
      )}
      {found.data && found.data.drivers.length > 0 && (
        <div className="card overflow-hidden">
          <div className="flex justify-end px-2 pt-2">
            <ExportButton
              order={{ table: "drivers", q: query }}
              table={m.nav_drivers()}
              columns={CSV_COLUMNS.drivers}
              rowsOf={({ drivers }) => drivers}
            />
          </div>
          <DataTable
            label={m.nav_drivers()}
            columns={columns}
            rows={found.data.drivers}
            rowKey={({ id }) => id}
            empty={m.search_none()}
          />
          {found.data.hasMore && (
            <output className="block border-t border-line px-5 py-3 text-sm text-soft">
              {m.search_more({ count: formatCount(found.data.drivers.length) })}
            </output>
          )}
        </div>
      )}
    </>
  );
}

const columns: Column<FoundDriver>[] = [
  {
    id: "name",
    title: m.name(),
    renderCell: ({ id, name }) => (
      <a
        href={CONSOLE_PATHS.driver(id)}
        className="-my-2 inline-block py-2 font-semibold underline underline-offset-4 focus-visible:-outline-offset-2"
      >
        {name}
      </a>
    ),
  },
  {
    id: "phone",
    title: m.phone(),
    renderCell: ({ phone }) => <span className="figures">{formatPhone(phone)}</span>,
  },
  { id: "email", title: m.email(), renderCell: ({ flexEmail }) => flexEmail ?? "", isWideOnly: true },
  { id: "region", title: m.region(), renderCell: ({ humanRegion }) => humanRegion ?? "", isWideOnly: true },
  { id: "state", title: m.state(), renderCell: stateOf },
  {
    id: "joined",
    title: m.joined(),
    renderCell: ({ createdAt }) => formatLongDate(createdAt, DEVICE_TIME_ZONE),
    isWideOnly: true,
  },
];

function stateOf({ isLinked, isSwitchedOn }: FoundDriver): string {
  if (!isLinked) return m.state_not_linked();
  return isSwitchedOn ? m.state_on() : m.state_off();
}
