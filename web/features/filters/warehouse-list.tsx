import { useSuspenseQuery } from "@tanstack/react-query";
import { Warehouse as WarehouseIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { filtersQuery, warehousesQuery } from "../../api/queries/filters.ts";
import { m } from "../../messages/messages.js";
import { INPUT_CLASS } from "../../ui/field.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useUser } from "../session/use-user.ts";
import type { DraftEditing } from "./draft-issues.ts";
import { arrangeWarehouses, groupByState, searchGroups } from "./arrange-warehouses.ts";
import { WarehouseGroup } from "./warehouse-group.tsx";

/** With fewer warehouses there is no search field. */
const SEARCH_FROM = 4;

/** The warehouses that the driver can select, each with its rule. */
export function WarehouseList({ draft, onChange, issues, currency }: DraftEditing) {
  const { warehouses } = useSuspenseQuery(warehousesQuery).data;
  const saved = useSuspenseQuery(filtersQuery).data.filters;
  const [query, setQuery] = useState("");
  const arranged = useMemo(
    () => arrangeWarehouses(draft.warehouses, { warehouses, saved }),
    [draft.warehouses, warehouses, saved],
  );
  const groups = useMemo(() => groupByState(arranged), [arranged]);
  const found = searchGroups(groups, query);
  const { humanRegion } = useUser();
  const restName = groups.length === 1 ? (humanRegion ?? m.warehouses_here()) : m.warehouses_elsewhere();
  if (arranged.length === 0) {
    return (
      <section className="card">
        <StatusPanel Icon={WarehouseIcon} title={m.warehouses_empty()}>
          {m.warehouses_empty_text()}
        </StatusPanel>
      </section>
    );
  }
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="warehouses">
      <h2 id="warehouses" className="text-xl">
        {m.warehouses_title()}
      </h2>
      {arranged.length >= SEARCH_FROM && (
        <input
          type="search"
          aria-label={m.warehouses_search()}
          placeholder={m.warehouses_search()}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className={`${INPUT_CLASS} placeholder:text-soft`}
        />
      )}
      {found.length === 0 && (
        <p className="py-6 text-center text-soft">{m.warehouses_none_found({ query })}</p>
      )}
      {found.map((group) => (
        <WarehouseGroup
          key={group.state ?? "rest"}
          name={group.state ?? restName}
          group={group}
          isSearched={query.trim() !== ""}
          {...{ draft, onChange, issues, currency }}
        />
      ))}
    </section>
  );
}
