import type { Filters } from "../../../durable/engine/rules.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import { nameOf } from "../offers/place-of.ts";
import type { DraftRule } from "./draft.ts";

export type ArrangedWarehouse = { rule: DraftRule; name: string; address: string | null };

/** Those that were selected when last saved first, then by name: nothing jumps while it is being chosen. */
export function arrangeWarehouses(
  rules: readonly DraftRule[],
  { warehouses, saved }: { warehouses: readonly Warehouse[]; saved: Filters },
): ArrangedWarehouse[] {
  const known = new Map<string, Warehouse>(warehouses.map((warehouse) => [warehouse.warehouseId, warehouse]));
  const first = new Set<string>(
    saved.warehouses.flatMap((rule) => (rule.selected ? [rule.warehouseId] : [])),
  );
  const rank = ({ rule }: ArrangedWarehouse) => (first.has(rule.warehouseId) ? 0 : 1);
  return rules
    .map((rule) => {
      const warehouse = known.get(rule.warehouseId);
      return { rule, name: nameOf(warehouse), address: warehouse?.address ?? null };
    })
    .sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

/** Those whose name or address holds every word of the query. */
export function findWarehouses(
  arranged: readonly ArrangedWarehouse[],
  query: string,
): readonly ArrangedWarehouse[] {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return arranged;
  return arranged.filter(({ name, address }) => {
    const text = plain(`${name} ${address ?? ""}`);
    return words.every((word) => text.includes(word));
  });
}

/** Without case and accents: nobody types them in a search. */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
