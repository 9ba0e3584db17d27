import { useQuery } from "@tanstack/react-query";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import { hourlyPay, type EpochMs } from "../../../db/shapes/units.ts";
import { otherOffersQuery } from "../../api/queries/blocks.ts";
import { m } from "../../messages/messages.js";
import { Skeleton } from "../../ui/skeleton.tsx";
import { formatBlockLength, formatExactMoney, formatRate, formatTimeRange } from "../language/format.ts";
import { offerPlace } from "./offer-place.ts";
import { useWarehouses } from "./use-warehouses.ts";

/** More would push the buttons below out of sight. */
const MOST_SHOWN = 3;

/** Offers that the driver could take in place of a block that they can still give back. */
export function OtherOffers({ block, now }: { block: Block; now: EpochMs }) {
  const { data, isError } = useQuery(otherOffersQuery(block.blockId));
  const offers = data?.offers?.filter(({ expiresAt }) => expiresAt > now).slice(0, MOST_SHOWN);
  return (
    <section data-testid="other-offers" className="grid gap-1">
      <h3 className="text-base">{m.block_others()}</h3>
      {data === undefined && !isError && <Skeleton className="h-10" />}
      {data === undefined && isError && <p className="text-sm text-soft">{m.block_others_failed()}</p>}
      {data?.offers === null && <p className="text-sm text-soft">{m.block_others_unknown()}</p>}
      {offers?.length === 0 && <p className="text-sm text-soft">{m.block_others_none()}</p>}
      {offers !== undefined && offers.length > 0 && (
        <>
          <p className="text-sm text-soft">{m.block_others_text()}</p>
          <ul className="figures border-t border-line">
            {offers.map((offer) => (
              <OtherOffer key={offer.offerId} offer={offer} now={now} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function OtherOffer({ offer, now }: { offer: Offer; now: EpochMs }) {
  const place = offerPlace(offer, useWarehouses());
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 border-b border-line py-2">
      <span className="min-w-[min(100%,9rem)] flex-1">
        <span className="block font-semibold">{place.name}</span>
        <span className="block text-sm text-soft">
          {formatTimeRange(offer, { timeZone: place.timeZone, now })}&nbsp;· {formatBlockLength(offer)}
        </span>
      </span>
      <span className="ml-auto shrink-0 text-right">
        <span className="block font-semibold">{formatExactMoney(offer.payCents, offer.currency)}</span>
        <span className="block text-sm text-soft">{formatRate(hourlyPay(offer), offer.currency)}</span>
      </span>
    </li>
  );
}
