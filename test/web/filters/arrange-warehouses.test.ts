import { describe, expect, it } from "vitest";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import {
  arrangeWarehouses,
  groupByState,
  searchGroups,
} from "../../../web/features/filters/arrange-warehouses.ts";
import { toDraft } from "../../../web/features/filters/draft.ts";
import { idOf, makeFilters, makeWarehouse } from "../../engine/fixtures.ts";

const at = (id: string, name: string, address: string): Warehouse => ({
  ...makeWarehouse(),
  warehouseId: idOf.warehouse(id),
  name,
  address,
});
const BETHPAGE = at("DNY4", "Bethpage", "999 S Oyster Bay Rd, Bethpage, NY 11714");
const MASPETH = at("DBK1", "Maspeth", "55-15 Grand Ave, Maspeth, NY 11378");
const NEWARK = at("DNJ9", "Newark", "1 Doremus Ave, Newark, NJ 07105");
const UNNAMED = at("DXX1", "Unnamed", "");

/** Each group as its state, the number of its warehouses and what is found of them. */
function search(warehouses: readonly Warehouse[], query: string) {
  const saved = makeFilters({ warehouses: [] });
  const { warehouses: rules } = toDraft(
    saved,
    warehouses.map(({ warehouseId }) => warehouseId),
  );
  const groups = groupByState(arrangeWarehouses(rules, { warehouses, saved }));
  return searchGroups(groups, query).map(
    (group) => [group.state, group.warehouses.length, group.found.map(({ name }) => name)] as const,
  );
}

describe("the warehouses of the filters", () => {
  it("stand by state, and those without one come last", () => {
    expect(search([UNNAMED, BETHPAGE, NEWARK, MASPETH], "")).toEqual([
      ["NY", 2, ["Bethpage", "Maspeth"]],
      ["NJ", 1, ["Newark"]],
      [null, 1, ["Unnamed"]],
    ]);
  });

  it("are one group where there is one state", () => {
    expect(search([BETHPAGE, MASPETH], "grand")).toEqual([[null, 2, ["Maspeth"]]]);
  });

  it("keep their groups, with all that belongs to them, whatever a search finds", () => {
    const all = [BETHPAGE, MASPETH, NEWARK];
    expect(search(all, "maspeth")).toEqual([["NY", 2, ["Maspeth"]]]);
    expect(search(all, "ÁVE nj")).toEqual([["NJ", 1, ["Newark"]]]);
    expect(search(all, "nowhere")).toEqual([]);
  });
});
