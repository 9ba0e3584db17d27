import { useQuery } from "@tanstack/react-query";
import type { Warehouse } from "../../../../db/shapes/work/offer.ts";
import { warehousesQuery } from "../../../api/queries/filters.ts";
import { m } from "../../../messages/messages.js";
import { countInputs, formatDistance } from "../../language/format.ts";
import { distanceBetween } from "../../arrival/arrival-status.ts";
import { warehouseName } from "../../offers/offer-place.ts";
import type { Draft } from "../draft.ts";

/** How many pairs are listed: the farthest decide how long the way is. */
const MAX_PAIRS = 4;

/** How far apart the selected warehouses are, as the crow flies, beside the one figure for all ways between them. */
export function TravelDistances({ draft }: { draft: Draft }) {
  const warehouses = useQuery(warehousesQuery).data?.warehouses ?? [];
  const selected = new Set(draft.warehouses.flatMap((rule) => (rule.selected ? [rule.warehouseId] : [])));
  const pairs = findDistances(warehouses.filter(({ warehouseId }) => selected.has(warehouseId)));
  if (pairs.length === 0) return null;
  const rest = pairs.length - MAX_PAIRS;
  return (
    <div className="pb-3 text-sm">
      <p className="text-soft">{m.limit_travel_distances()}</p>
      <ul className="figures">
        {pairs.slice(0, MAX_PAIRS).map(({ from, to, meters }) => (
          <li key={`${from.warehouseId} ${to.warehouseId}`} className="flex justify-between gap-3">
            <span className="min-w-0">
              {warehouseName(from)} – {warehouseName(to)}
            </span>
            <span className="shrink-0 font-semibold">{formatDistance(meters)}</span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="text-soft">{m.limit_travel_more(countInputs(rest))}</p>}
    </div>
  );
}

type Distance = { from: Warehouse; to: Warehouse; meters: number };

/** Each pair of warehouses whose places are known, the farthest first. */
export function findDistances(warehouses: readonly Warehouse[]): Distance[] {
  // The platform's client puts a warehouse without a place there, in the Gulf of Guinea.
  const placed = warehouses.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
  const pairs = placed.flatMap((from, index) =>
    placed.slice(index + 1).map((to) => ({ from, to, meters: distanceBetween(from, to) })),
  );
  return pairs.toSorted((one, other) => other.meters - one.meters);
}
