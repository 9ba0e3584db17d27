import type { Block, Warehouse } from "../../../db/shapes/offer.ts";
import { formatBlockLength, formatMoney } from "../language/format.ts";
import { offerPlace } from "../offers/offer-place.ts";
import { formatDayTimeRange } from "../offers/reason-messages.ts";

/** The block to check in to, in a few lines. */
export function ArrivalBlock({ block, warehouse }: { block: Block; warehouse: Warehouse | null }) {
  const place = offerPlace(block, warehouse ? [warehouse] : []);
  return (
    <div className="figures flex items-start justify-between gap-4 border-b border-line pb-4">
      <p className="min-w-0">
        <span className="block font-semibold">{place.name}</span>
        {warehouse?.address && <span className="block text-sm text-soft">{warehouse.address}</span>}
        <span className="block text-sm text-soft">
          {formatDayTimeRange(block, place.timeZone)} · {formatBlockLength(block)}
        </span>
      </p>
      <p className="text-lg leading-tight font-semibold">{formatMoney(block.payCents, block.currency)}</p>
    </div>
  );
}
