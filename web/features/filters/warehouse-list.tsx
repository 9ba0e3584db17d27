import { useSuspenseQuery } from "@tanstack/react-query";
import { Warehouse as WarehouseIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { filtersQuery, warehousesQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { INPUT_CLASS } from "../../ui/field.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { formatCount } from "../language/format.ts";
import type { Draft, FilterIssues } from "./draft.ts";
import { arrangeWarehouses, findWarehouses, groupByCity } from "./arrange-warehouses.ts";
import { WarehouseCard } from "./warehouse-card.tsx";

/** With fewer warehouses there is no search field. */
const SEARCH_FROM = 4;

/** The warehouses that the driver can select, each with its rule. */
export function WarehouseList({
  draft,
  onChange,
  issues,
  currency,
}: {
  draft: Draft;
  onChange: (next: Draft) => void;
  issues: FilterIssues;
  currency: string;
}) {
  const { warehouses } = useSuspenseQuery(warehousesQuery).data;
  const saved = useSuspenseQuery(filtersQuery).data.filters;
  const [query, setQuery] = useState("");
  const arranged = useMemo(
    () => arrangeWarehouses(draft.warehouses, { warehouses, saved }),
    [draft.warehouses, warehouses, saved],
  );
  const found = findWarehouses(arranged, query);
  const selected = draft.warehouses.filter((rule) => rule.selected).length;
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
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="warehouses" className="text-xl">
          {m.warehouses_title()}
        </h2>
        <p className="figures text-sm text-soft">
          {m.warehouses_selected({ count: formatCount(selected), total: formatCount(arranged.length) })}
        </p>
      </div>
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
      {groupByCity(found).map(({ city, warehouses: cityWarehouses }) => (
        <section key={city} aria-label={city ?? m.warehouses_elsewhere()} className="grid gap-2">
          <h3 className="mt-1 font-sans text-sm font-semibold text-soft">
            {city ?? m.warehouses_elsewhere()}
          </h3>
          <ul className="grid grid-cols-1 gap-3">
            {cityWarehouses.map(({ rule, name, street }) => (
              <li
                key={rule.warehouseId}
                className="[contain-intrinsic-size:auto_8rem] [content-visibility:auto]"
              >
                <WarehouseCard {...{ rule, name, street, draft, onChange, issues, currency }} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
