import type { Block, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { formatBlockLength, formatMoney, formatTimeRange } from "../language/format.ts";
import { offerPlace } from "../offers/offer-place.ts";

/** The block to check in to, in a few lines. */
export function ArrivalBlock({
  block,
  warehouse,
  now,
}: {
  block: Block;
  warehouse: Warehouse | null;
  now: EpochMs;
}) {
  const place = offerPlace(block, warehouse ? [warehouse] : []);
  return (
    <div className="figures flex items-start justify-between gap-4 border-b border-line pb-4">
      <p className="min-w-0">
        <span className="block font-semibold">{place.name}</span>
        {warehouse?.address && <span className="block text-sm text-soft">{warehouse.address}</span>}
        <span className="block text-sm text-soft">
          {formatTimeRange(block, { timeZone: place.timeZone, now })} · {formatBlockLength(block)}
        </span>
      </p>
      <p className="text-lg leading-tight font-semibold">{formatMoney(block.payCents, block.currency)}</p>
    </div>
  );
}
