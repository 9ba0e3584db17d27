import type { Filters } from "../../../db/shapes/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { warehouseName } from "../offers/offer-place.ts";
import type { DraftRule } from "./draft.ts";
import { groupBy } from "../../../db/shapes/group-by.ts";

export type ArrangedWarehouse = {
  rule: DraftRule;
  name: string;
  /** Street and city. An unnamed warehouse without an address shows its id, to tell it from others. */
  street: string;
  /** `NY`; null where the address names none. */
  state: string | null;
};

/** The warehouses of one state. */
export type StateGroup = { state: string | null; warehouses: readonly ArrangedWarehouse[] };

/** Selected ones first, as of the last save, then by name: no card moves while the driver selects. */
export function arrangeWarehouses(
  rules: readonly DraftRule[],
  { warehouses, saved }: { warehouses: readonly Warehouse[]; saved: Filters },
): ArrangedWarehouse[] {
  const known = new Map<string, Warehouse>(warehouses.map((warehouse) => [warehouse.warehouseId, warehouse]));
  const savedIds = new Set<string>(
    saved.warehouses.flatMap((rule) => (rule.selected ? [rule.warehouseId] : [])),
  );
  const rank = ({ rule }: ArrangedWarehouse) => (savedIds.has(rule.warehouseId) ? 0 : 1);
  return rules
    .map((rule) => {
      const warehouse = known.get(rule.warehouseId);
      return {
        rule,
        name: warehouseName(warehouse),
        ...parseAddress(warehouse?.address ?? rule.warehouseId),
      };
    })
    .sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

/**
 * Groups by state in the order of first appearance; warehouses without one come last. Where there is one state only,
 * all are one group of the driver's region, whose state is null.
 */
export function groupByState(arranged: readonly ArrangedWarehouse[]): StateGroup[] {
  const known = new Set(arranged.flatMap(({ state }) => state ?? []));
  if (known.size < 2) return arranged.length > 0 ? [{ state: null, warehouses: arranged }] : [];
  const groups = [...groupBy(arranged, ({ state }) => state)].map(([state, warehouses]) => ({
    state,
    warehouses,
  }));
  return groups.sort((one, other) => Number(one.state === null) - Number(other.state === null));
}

/** A search's matches in each group, as it stands without one; groups without a match are left out. */
export function searchGroups(
  groups: readonly StateGroup[],
  query: string,
): (StateGroup & { found: readonly ArrangedWarehouse[] })[] {
  return groups
    .map((group) => ({ ...group, found: findWarehouses(group.warehouses, query) }))
    .filter(({ found }) => found.length > 0);
}

/** Splits `999 S Oyster Bay Rd, Bethpage, NY 11714` into street with city, and state. */
function parseAddress(address: string): { street: string; state: string | null } {
  const [, street, state] = /^(.+,[^,]+),\s*([A-Z]{2})(?:\s+\d{5}(?:-\d{4})?)?$/.exec(address) ?? [];
  return street && state ? { street, state } : { street: address, state: null };
}

/** Warehouses whose name, street, city or state contains every word of the query. */
function findWarehouses(arranged: readonly ArrangedWarehouse[], query: string): readonly ArrangedWarehouse[] {
  const words = normalize(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return arranged;
  return arranged.filter(({ name, street, state }) => {
    const text = normalize(`${name} ${street} ${state ?? ""}`);
    return words.every((word) => text.includes(word));
  });
}

/** Ignores case and accents, which nobody types in a search. */
function normalize(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
