import { Link } from "@tanstack/react-router";
import { Navigation } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Block, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import { hourlyPay, MINUTE_MS, HOUR_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass, ButtonLink } from "../../ui/button.tsx";
import { useConfig } from "../../api/queries/use-config.ts";
import { useNow } from "../../ui/use-now.ts";
import { useCheckInObstacle, type ShownObstacle } from "../arrival/shown-obstacle.ts";
import { ArrivedButton, CheckInRoom, CheckInTime, SHOWN_BEFORE_MS } from "../arrival/arrived-button.tsx";
import {
  DEVICE_TIME_ZONE,
  formatDuration,
  formatBlockLength,
  formatMoney,
  formatRate,
  formatTimeRange,
  formatUntil,
  countInputs,
} from "../language/format.ts";
import { weekOfBlocks } from "../offers/blocks-by-day.ts";
import { heldBlockItems, heldBlockToFeedItem } from "../offers/feed-item.ts";
import { OfferSheet } from "../blocks/offer-sheet.tsx";
import type { SelectedOffer } from "../offers/offer-details.tsx";
import { directionsUrl, offerPlace } from "../offers/offer-place.ts";
import { wonBlockStatus } from "../offers/won-block-status.ts";
import { phaseMessage } from "./phase-messages.ts";

/** The next block: when, where, what it pays, and how long until it starts. */
export function NextBlock({
  system,
}: {
  system: Pick<Snapshot, "held" | "warehouses" | "phase" | "isLinked">;
}) {
  const { held, warehouses } = system;
  const now = useNow(15_000);
  const obstacle = useCheckInObstacle(system, now);
  const [selected, setSelected] = useState<SelectedOffer | null>(null);
  const upcoming = held.filter((block) => block.endsAt > now);
  const [next] = upcoming;
  return (
    <section className="card p-5" data-testid="next-block">
      <h2 className="text-lg">{m.next_title()}</h2>
      {next ? (
        <Details
          block={next}
          warehouses={warehouses}
          now={now}
          obstacle={obstacle}
          phase={system.phase}
          onOpen={() => setSelected({ item: heldBlockToFeedItem(next), place: offerPlace(next, warehouses) })}
        >
          <WeekStrip held={upcoming} timeZone={offerPlace(next, warehouses).timeZone} now={now} />
        </Details>
      ) : (
        <Empty>
          <WeekStrip held={[]} timeZone={warehouses[0]?.timeZone ?? DEVICE_TIME_ZONE} now={now} />
        </Empty>
      )}
      <OfferSheet
        selected={selected}
        items={heldBlockItems(system, selected?.item, now)}
        onClose={() => setSelected(null)}
      />
    </section>
  );
}

/** As tall as a block is, so that the first capture moves nothing. */
function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="mt-1 grid grid-cols-1 gap-2">
      <div className="grid grid-cols-1 items-center *:[grid-area:1/1]">
        <div aria-hidden className="invisible grid gap-2">
          <p className="font-display text-xl">&nbsp;</p>
          <p className="min-h-[calc(5.5rem+4px)]" />
          <CheckInRoom />
          {/* Where a block has its own buttons. */}
          <p className="mt-1 min-h-11" />
        </div>
        <div className="grid justify-items-center gap-2 text-center">
          <p className="font-display text-xl font-bold">{m.next_empty()}</p>
          <p className="max-w-prose text-sm text-soft">{m.next_empty_text()}</p>
          <Link to="/flex/filters" className={buttonClass("plain", "mt-2")}>
            {m.filters_title()}
          </Link>
        </div>
      </div>
      {children}
    </div>
  );
}

function Details({
  block,
  warehouses,
  now,
  obstacle,
  phase,
  onOpen,
  children,
}: {
  block: Block;
  warehouses: readonly Warehouse[];
  now: number;
  obstacle: ShownObstacle | null;
  phase: Phase;
  onOpen: () => void;
  children: ReactNode;
}) {
  const place = offerPlace(block, warehouses);
  const address = warehouses.find(({ warehouseId }) => warehouseId === block.warehouseId)?.address;
  // In the room of the buttons until these are there, so that a capture moves nothing.
  const isEarly = block.startsAt - now > SHOWN_BEFORE_MS;
  // The first card has the button for an act that comes first.
  const { light } = phaseMessage(phase, { timeZone: place.timeZone, now });
  const giveBack = <GiveBackTime block={block} now={now} timeZone={place.timeZone} />;
  return (
    <div className="figures mt-1 grid grid-cols-1 gap-2">
      <p className="font-display text-xl font-bold">
        {block.startsAt > now
          ? m.next_starts_in({ left: formatDuration(block.startsAt - now) })
          : m.next_running({ until: formatUntil(block.endsAt, { timeZone: place.timeZone, now }) })}
      </p>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <p className="min-w-[min(100%,9rem)] flex-1">
          <span className="block font-semibold">{place.name}</span>
          {address && <span className="block text-sm text-soft">{address}</span>}
          <span className="block text-sm text-soft">
            {formatTimeRange(block, { timeZone: place.timeZone, now })}&nbsp;· {formatBlockLength(block)}
          </span>
        </p>
        <p className="ml-auto shrink-0 text-right">
          <span className="block text-lg leading-tight font-semibold">
            {formatMoney(block.payCents, block.currency)}
          </span>
          <span className="block text-sm text-soft">{formatRate(hourlyPay(block), block.currency)}</span>
        </p>
      </div>
      <CheckInRoom>
        <div>
          {isEarly && giveBack}
          <CheckInTime block={block} now={now} timeZone={place.timeZone} obstacle={obstacle} />
        </div>
        <ArrivedButton
          block={block}
          now={now}
          timeZone={place.timeZone}
          obstacle={obstacle}
          isSecond={light === "action_required"}
        />
      </CheckInRoom>
      {!isEarly && giveBack}
      <div className="mt-1 flex flex-wrap gap-2">
        {place.warehouse && (
          <ButtonLink href={directionsUrl(place.warehouse)} target="_blank" rel="noreferrer">
            <Navigation aria-hidden className="size-4.5" />
            {m.block_directions()}
          </ButtonLink>
        )}
        <Button onClick={onOpen}>{m.next_details()}</Button>
      </div>
      {children}
    </div>
  );
}

/** Until when the block can be given back. */
function GiveBackTime({ block, now, timeZone }: { block: Block; now: number; timeZone: string }) {
  const { giveBack } = useConfig();
  const status = wonBlockStatus(block, { now, giveBackMs: giveBack.minutes * MINUTE_MS });
  if (status.kind !== "ahead") return null;
  return (
    <p data-testid="next-give-back" className="text-sm text-soft">
      {status.giveBackMs === null
        ? m.next_give_back_late()
        : m.next_give_back({ until: formatUntil(status.giveBackUntil, { timeZone, now }) })}
    </p>
  );
}

/** A day with this much work fills its column. */
const FULL_DAY_HOURS = 10;

/** The held blocks of the next seven days, today's first: one column a day, as tall as the day's work is long. */
function WeekStrip({ held, timeZone, now }: { held: readonly Block[]; timeZone: string; now: EpochMs }) {
  const days = weekOfBlocks(held, { timeZone, from: now });
  const blocks = days.flatMap((day) => day.blocks);
  const [first] = blocks;
  const cents = blocks.reduce((sum, { payCents }) => sum + payCents, 0);
  return (
    <Link
      to="/flex/blocks"
      search={{ type: "upcoming" }}
      data-testid="week-strip"
      className="-mx-2 grid grid-cols-1 gap-2 rounded-field px-2 py-2 hover:bg-sunken"
    >
      <span aria-hidden className="grid grid-cols-7 gap-1.5">
        {days.map((day, index) => (
          <span key={day.key} className="grid justify-items-center gap-1">
            <span className="flex h-10 w-full items-end overflow-hidden rounded-[5px] bg-sunken">
              {day.blocks.length > 0 && (
                <span
                  className="block w-full rounded-[5px] bg-ink"
                  style={{ height: heightOf(day.blocks) }}
                />
              )}
            </span>
            <span className={`text-xs ${index === 0 ? "font-semibold" : "text-soft"}`}>{day.narrowName}</span>
          </span>
        ))}
      </span>
      <span className="figures flex flex-wrap justify-between gap-x-3 text-sm">
        <span className="underline underline-offset-4">{m.week_blocks(countInputs(blocks.length))}</span>
        {first && <span className="font-semibold">{formatMoney(cents, first.currency)}</span>}
      </span>
    </Link>
  );
}

function heightOf(blocks: readonly Block[]): string {
  const hours = blocks.reduce((sum, { startsAt, endsAt }) => sum + (endsAt - startsAt) / HOUR_MS, 0);
  return `${Math.min(100, Math.max(15, (hours / FULL_DAY_HOURS) * 100))}%`;
}
