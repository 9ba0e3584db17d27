import { CalendarPlus, Navigation } from "lucide-react";
import type { Block } from "../../../durable/engine/types.ts";
import { m } from "../../messages/messages.js";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useProductName } from "../frame/use-config.ts";
import { sayDayTime, sayDuration, sayLength, sayMoney, sayRate, sayTime } from "../language/format.ts";
import type { Place } from "./reason-words.ts";
import { standingOf, type BlockStanding } from "./block-standing.ts";
import { writeCalendar, type CalendarEntry } from "./calendar-file.ts";
import { directionsTo } from "./directions.ts";

/** What a driver does with a block that is theirs: where it stands, the way there, the calendar, until when it can go back. */
export function WonDetails({ block, place }: { block: Block; place: Place }) {
  const { warehouse, timeZone } = place;
  const now = useNow(15_000);
  const product = useProductName();
  const standing = standingOf(block, now);
  const isAhead =
    standing.kind === "ahead" || standing.kind === "under_way" || standing.kind === "checked_in";
  return (
    <div data-testid="won-details" className="grid gap-4">
      {warehouse?.address && <p className="text-soft">{warehouse.address}</p>}
      <p data-testid="block-standing" className="figures">
        <span className="block font-semibold">{sayStanding(standing, { block, timeZone, now })}</span>
        {standing.kind === "ahead" && (
          <span className={`block text-sm ${standing.giveBackMs === null ? "text-warn" : "text-soft"}`}>
            {standing.giveBackMs === null
              ? m.block_give_back_late()
              : m.block_give_back({
                  left: sayDuration(standing.giveBackMs),
                  time: sayDayTime(standing.giveBackUntil, timeZone),
                })}
          </span>
        )}
      </p>
      {isAhead && (
        <div className="grid gap-3 sm:grid-cols-2">
          {warehouse && (
            <ButtonLink href={directionsTo(warehouse)} target="_blank" rel="noreferrer">
              <Navigation aria-hidden className="size-4.5" />
              {m.block_directions()}
            </ButtonLink>
          )}
          <Button onClick={() => saveCalendar(entryOf(block, { place, product }), product)}>
            <CalendarPlus aria-hidden className="size-4.5" />
            {m.block_calendar()}
          </Button>
        </div>
      )}
    </div>
  );
}

function sayStanding(
  standing: BlockStanding,
  { block, timeZone, now }: { block: Block; timeZone: string; now: number },
): string {
  switch (standing.kind) {
    case "given_back":
      return m.block_given_back();
    case "done":
      return m.block_done();
    case "checked_in":
      return standing.at === null
        ? m.block_checked_in()
        : m.block_checked_in_at({ time: sayTime(standing.at, timeZone) });
    case "under_way":
      return m.next_running({ time: sayTime(block.endsAt, timeZone) });
    case "ahead":
      return m.next_starts_in({ left: sayDuration(block.startsAt - now) });
  }
}

function entryOf(
  block: Block,
  { place: { name, warehouse }, product }: { place: Place; product: string },
): CalendarEntry {
  const pay = sayMoney(block.payCents, block.currency);
  return {
    uid: `${block.blockId}@${location.hostname}`,
    stampedAt: block.acceptedAt,
    startsAt: block.startsAt,
    endsAt: block.endsAt,
    title: m.block_calendar_title({ where: name, pay }),
    text: m.block_calendar_text({
      pay,
      hours: sayLength(block),
      rate: sayRate(block, block.currency),
      product,
    }),
    place: warehouse?.address ?? null,
    position: warehouse,
  };
}

/** Hands the file to the device, which opens it in its calendar or keeps it. */
function saveCalendar(entry: CalendarEntry, product: string): void {
  const file = new Blob([writeCalendar(entry, { product })], { type: "text/calendar;charset=utf-8" });
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${new Date(entry.startsAt).toISOString().slice(0, 10)}-${product.toLowerCase()}.ics`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
