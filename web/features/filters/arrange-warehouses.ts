import type { Filters } from "../../../db/shapes/filters.ts";
import type { Warehouse } from "../../../db/shapes/offer.ts";
import { warehouseName } from "../offers/offer-place.ts";
import type { DraftRule } from "./draft.ts";

export type ArrangedWarehouse = {
  rule: DraftRule;
  name: string;
  /** Without the city. An unnamed warehouse without an address shows its id, to tell it from others. */
  street: string;
  /** `Bethpage, NY`; null where the address has none. */
  city: string | null;
};

/** The warehouses of one city. */
export type CityGroup = { city: string | null; warehouses: readonly ArrangedWarehouse[] };

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

/** Groups by city in the order of first appearance; warehouses without a city come last. */
export function groupByCity(arranged: readonly ArrangedWarehouse[]): CityGroup[] {
  const cities = [...new Set(arranged.map(({ city }) => city))];
  const groups = cities.map((city) => ({
    city,
    warehouses: arranged.filter((warehouse) => warehouse.city === city),
  }));
  return groups.sort((one, other) => Number(one.city === null) - Number(other.city === null));
}

/** Splits `999 S Oyster Bay Rd, Bethpage, NY 11714` into street and city. */
function parseAddress(address: string): { street: string; city: string | null } {
  const [, street, city, state] =
    /^(.+),\s*([^,]+),\s*([A-Z]{2})(?:\s+\d{5}(?:-\d{4})?)?$/.exec(address) ?? [];
  return street && city && state ? { street, city: `${city}, ${state}` } : { street: address, city: null };
}

/** Warehouses whose name, street or city contains every word of the query. */
export function findWarehouses(
  arranged: readonly ArrangedWarehouse[],
  query: string,
): readonly ArrangedWarehouse[] {
  const words = normalize(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return arranged;
  return arranged.filter(({ name, street, city }) => {
    const text = normalize(`${name} ${street} ${city ?? ""}`);
    return words.every((word) => text.includes(word));
  });
}

/** Ignores case and accents, which nobody types in a search. */
function normalize(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
