import { m } from "../../messages/messages.js";
import { formatCount } from "../language/format.ts";
import type { ArrangedWarehouse } from "./arrange-warehouses.ts";
import { withSelected, type DraftEditing } from "./draft.ts";
import { WarehouseCard } from "./warehouse-card.tsx";

/**
 * The warehouses of one region under one heading, with a button that selects them all: not during a search, which shows
 * only some of them.
 */
export function WarehouseGroup({
  name,
  group: { warehouses, found },
  isSearched,
  draft,
  onChange,
  issues,
  currency,
}: DraftEditing & {
  name: string;
  group: { warehouses: readonly ArrangedWarehouse[]; found: readonly ArrangedWarehouse[] };
  isSearched: boolean;
}) {
  const selected = warehouses.filter(({ rule }) => rule.selected).length;
  const isWhole = selected === warehouses.length;
  const ids = warehouses.map(({ rule }) => rule.warehouseId);
  return (
    <section aria-label={name} className="card overflow-hidden">
      <div className="flex min-h-13 items-center justify-between gap-3 border-b border-line bg-sunken py-1 pr-2 pl-4 sm:pl-5">
        <h3 className="font-sans text-base font-semibold">
          {name}{" "}
          <span className="figures text-sm font-normal text-soft">
            {m.warehouses_group_count({
              count: formatCount(selected),
              total: formatCount(warehouses.length),
            })}
          </span>
        </h3>
        {!isSearched && (
          <button
            type="button"
            aria-pressed={isWhole}
            aria-label={m.warehouses_all_of({ name })}
            onClick={() => onChange(withSelected(draft, ids, !isWhole))}
            className="min-h-11 min-w-14 shrink-0 rounded-field border border-edge bg-raised px-3 text-sm font-semibold aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-ground"
          >
            {m.warehouses_all()}
          </button>
        )}
      </div>
      <ul className="divide-y divide-line">
        {found.map(({ rule, name: warehouse, street }) => (
          <li key={rule.warehouseId} className="[contain-intrinsic-size:auto_7rem] [content-visibility:auto]">
            <WarehouseCard {...{ rule, street, draft, onChange, issues, currency }} name={warehouse} />
          </li>
        ))}
      </ul>
    </section>
  );
}
