import { useQuery } from "@tanstack/react-query";
import { CalendarPlus, ExternalLink, Navigation } from "lucide-react";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import { hourlyPay, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { otherOffersQuery } from "../../api/queries/blocks.ts";
import { m } from "../../messages/messages.js";
import { saveFile } from "../../ui/save-file.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use-now.ts";
import { serverNow } from "../../early/server-clock.ts";
import { useConfig, useProductName } from "../../api/queries/use-config.ts";
import {
  formatDuration,
  formatBlockLength,
  formatMoney,
  formatRate,
  formatTime,
  formatUntil,
  formatExactMoney,
  formatTimeRange,
} from "../language/format.ts";
import { useWarehouses } from "./warehouses.ts";
import { wonBlockStatus, type WonBlockStatus } from "./won-block-status.ts";
import { toCalendarFile, type CalendarEntry } from "../../../locales/calendar-file.ts";
import { directionsUrl, type OfferPlace, offerPlace } from "./offer-place.ts";

/** For a block that the driver has: its status, directions, a calendar file, and until when it can be given back. */
export function WonDetails({ block, place }: { block: Block; place: OfferPlace }) {
  const { warehouse, timeZone } = place;
  const now = useNow(15_000);
  const product = useProductName();
  const { giveBack } = useConfig();
  const status = wonBlockStatus(block, { now, giveBackMs: giveBack.minutes * MINUTE_MS });
  const isAhead = status.kind !== "given_back" && status.kind !== "done";
  return (
    <div data-testid="won-details" className="grid gap-4">
      {warehouse?.address && <p className="text-soft">{warehouse.address}</p>}
      <p data-testid="block-status" className="figures">
        <span className="block font-semibold">{statusMessage(status, { block, timeZone, now })}</span>
        {status.kind === "ahead" && (
          <span className={`block text-sm ${status.giveBackMs === null ? "text-warn" : "text-soft"}`}>
            {status.giveBackMs === null
              ? m.block_give_back_late({ time: formatTime(status.giveBackUntil, { timeZone, now }) })
              : m.block_give_back({
                  left: formatDuration(status.giveBackMs),
                  until: formatUntil(status.giveBackUntil, { timeZone, now }),
                })}
          </span>
        )}
      </p>
      {status.kind === "ahead" && status.giveBackMs !== null && (
        <>
          {giveBack.url !== null && (
            <ButtonLink href={giveBack.url} target="_blank" rel="noreferrer" className="justify-self-start">
              <ExternalLink aria-hidden className="size-4.5" />
              {m.block_give_back_link()}
            </ButtonLink>
          )}
          <OtherOffers block={block} now={now} />
        </>
      )}
      {isAhead && (
        <div className="grid gap-3 sm:grid-cols-2">
          {warehouse && (
            <ButtonLink href={directionsUrl(warehouse)} target="_blank" rel="noreferrer">
              <Navigation aria-hidden className="size-4.5" />
              {m.block_directions()}
            </ButtonLink>
          )}
          <Button
            onClick={() =>
              downloadCalendar(toCalendarEntry(block, place), { product, startsAt: block.startsAt })
            }
          >
            <CalendarPlus aria-hidden className="size-4.5" />
            {m.block_calendar()}
          </Button>
        </div>
      )}
    </div>
  );
}

function statusMessage(
  status: WonBlockStatus,
  { block, timeZone, now }: { block: Block; timeZone: string; now: number },
): string {
  switch (status.kind) {
    case "given_back":
      return m.block_given_back();
    case "done":
      return m.block_done();
    case "checked_in":
      return status.at === null
        ? m.block_checked_in()
        : m.arrived_checked_in_at({ time: formatTime(status.at, { timeZone, now }) });
    case "other":
      return m.block_status_other();
    case "under_way":
      return m.next_running({ until: formatUntil(block.endsAt, { timeZone, now }) });
    case "ahead":
      return m.next_starts_in({ left: formatDuration(block.startsAt - now) });
  }
}

/** A calendar that has the entry takes a later file as its change: the block may have moved. */
function toCalendarEntry(block: Block, { name, warehouse }: OfferPlace): CalendarEntry {
  const now = serverNow();
  const pay = formatMoney(block.payCents, block.currency);
  return {
    uid: `${block.blockId}@${location.hostname}`,
    stampedAt: now,
    sequence: Math.max(0, Math.floor((now - block.acceptedAt) / 1000)),
    when: { startsAt: block.startsAt, endsAt: block.endsAt },
    title: m.block_calendar_title({ where: name, pay }),
    text: m.block_calendar_text({
      pay,
      hours: formatBlockLength(block),
      rate: formatRate(hourlyPay(block), block.currency),
    }),
    place: warehouse?.address ?? null,
    position: warehouse,
  };
}

/** Downloads the file, which most devices open in their calendar. */
function downloadCalendar(
  entry: CalendarEntry,
  { product, startsAt }: { product: string; startsAt: EpochMs },
): void {
  saveFile(`${new Date(startsAt).toISOString().slice(0, 10)}-${product.toLowerCase()}.ics`, {
    type: "text/calendar;charset=utf-8",
    text: toCalendarFile({ product, entries: [entry] }),
  });
}

/** More would push the buttons below out of sight. */
const MOST_SHOWN = 3;

/** Offers that the driver could take in place of a block that they can still give back. */
function OtherOffers({ block, now }: { block: Block; now: EpochMs }) {
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
