import { CalendarPlus, ExternalLink, Navigation } from "lucide-react";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { hourlyPay, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useConfig, useProductName } from "../../api/queries/use-config.ts";
import {
  formatDuration,
  formatBlockLength,
  formatMoney,
  formatRate,
  formatTime,
  formatUntil,
} from "../language/format.ts";
import { OtherOffers } from "./other-offers.tsx";
import { wonBlockStatus, type WonBlockStatus } from "./won-block-status.ts";
import { toCalendarFile, type CalendarEntry } from "../../../locales/calendar-file.ts";
import { directionsUrl, type OfferPlace } from "./offer-place.ts";

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

function toCalendarEntry(block: Block, { name, warehouse }: OfferPlace): CalendarEntry {
  const pay = formatMoney(block.payCents, block.currency);
  return {
    uid: `${block.blockId}@${location.hostname}`,
    stampedAt: block.acceptedAt,
    sequence: 0,
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
  const file = new Blob([toCalendarFile({ product, entries: [entry] })], {
    type: "text/calendar;charset=utf-8",
  });
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${new Date(startsAt).toISOString().slice(0, 10)}-${product.toLowerCase()}.ics`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
