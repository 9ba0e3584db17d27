import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { connectLive } from "../../api/live/live.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyList } from "../../ui/empty-list.tsx";
import { useNow } from "../../ui/use-now.ts";
import { ConnectionBanner, NoSnapshot } from "../live/connection-notices.tsx";
import { useVisibleSnapshot } from "../live/use-live.ts";
import {
  formatBlockLength,
  formatClockRange,
  formatDuration,
  formatExactMoney,
  formatUntil,
} from "../language/format.ts";
import { blocksByDay, type DayOfBlocks } from "../offers/blocks-by-day.ts";
import { heldBlockItems, heldBlockToFeedItem } from "../offers/feed-item.ts";
import { OfferRow } from "../offers/offer-row.tsx";
import { OfferSheet } from "./offer-sheet.tsx";
import type { SelectedOffer } from "../offers/offer-details.tsx";
import { offerPlace } from "../offers/offer-place.ts";
import { BlockListPending } from "./states.tsx";
import { LIST_LABELS } from "./list-labels.ts";

/** Every block that the driver holds, day by day, also those taken by hand. */
export function UpcomingBlocks() {
  useEffect(connectLive, []);
  const snapshot = useVisibleSnapshot();
  const now = useNow(MINUTE_MS);
  const [selected, setSelected] = useState<SelectedOffer | null>(null);
  if (!snapshot) return <NoSnapshot title={m.blocks_failed_title()} pending={<BlockListPending />} />;
  const { warehouses, timeZone } = snapshot;
  const held = snapshot.held.filter((block) => block.endsAt > now);
  const [first] = held;
  const zone = first ? offerPlace(first, warehouses).timeZone : timeZone;
  const days = blocksByDay(held, { timeZone: zone, from: now, days: 0 });
  return (
    <>
      <ConnectionBanner />
      {days.length === 0 && <Empty />}
      {days.map((day) => (
        <section key={day.key} className="card overflow-hidden" aria-labelledby={day.key}>
          <DayHeading day={day} />
          <ul className="divide-y divide-line border-t border-line">
            {day.blocks.map((block) => {
              const place = offerPlace(block, warehouses);
              const item = heldBlockToFeedItem(block);
              return (
                <li key={block.blockId}>
                  <OfferRow
                    item={item}
                    place={place}
                    when={[formatClockRange(block, place.timeZone), formatBlockLength(block)]}
                    note={
                      block.startsAt > now
                        ? m.next_starts_in({ left: formatDuration(block.startsAt - now) })
                        : m.next_running({
                            until: formatUntil(block.endsAt, { now, timeZone: place.timeZone }),
                          })
                    }
                    onOpen={() => setSelected({ item, place })}
                  />
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      <OfferSheet
        selected={selected}
        items={heldBlockItems(snapshot, selected?.item, now)}
        onClose={() => setSelected(null)}
      />
    </>
  );
}

function DayHeading({ day: { key, name, blocks } }: { day: DayOfBlocks }) {
  const cents = blocks.reduce((sum, { payCents }) => sum + payCents, 0);
  return (
    <div className="flex items-baseline justify-between gap-3 px-4 py-2.5">
      <h2 id={key} className="text-base">
        {name}
      </h2>
      <p className="figures text-sm font-semibold">{formatExactMoney(cents, blocks[0]?.currency ?? "USD")}</p>
    </div>
  );
}

function Empty() {
  const { Icon, empty, emptyText } = LIST_LABELS.upcoming;
  const action = (
    <Link to="/flex/dashboard" className={buttonClass("plain")}>
      {m.blocks_go_dashboard()}
    </Link>
  );
  return (
    <EmptyList Icon={Icon} title={empty()} actions={action}>
      {emptyText()}
    </EmptyList>
  );
}
