import type { Block, Warehouse } from "../../../durable/engine/types.ts";
import { sayLength, sayMoney } from "../language/format.ts";
import { placeOf } from "../offers/place-of.ts";
import { saySpan } from "../offers/reason-words.ts";

/** Which block is arrived at, in two lines. */
export function ArrivalBlock({ block, warehouse }: { block: Block; warehouse: Warehouse | null }) {
  const place = placeOf(block, warehouse ? [warehouse] : []);
  return (
    <div className="figures flex items-start justify-between gap-4 border-b border-line pb-4">
      <p className="min-w-0">
        <span className="block font-semibold">{place.name}</span>
        {warehouse?.address && <span className="block text-sm text-soft">{warehouse.address}</span>}
        <span className="block text-sm text-soft">
          {saySpan(block, place.timeZone)} · {sayLength(block)}
        </span>
      </p>
      <p className="text-lg leading-tight font-semibold">{sayMoney(block.payCents, block.currency)}</p>
    </div>
  );
}
