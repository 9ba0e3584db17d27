import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import {
  sayClocks,
  sayDate,
  sayDayTime,
  sayLength,
  sayMoney,
  sayRate,
  sayTimeToTheSecond,
} from "../language/format.ts";
import { FateMark } from "./fate-mark.tsx";
import { sayFate } from "./fate-words.ts";
import type { FeedItem } from "./feed-item.ts";
import { LOST_WORDS, type Place } from "./reason-words.ts";
import { WhyTable } from "./why-table.tsx";
import { WonDetails } from "./won-details.tsx";

export type Opened = { item: FeedItem; place: Place };

/** Everything about one offer: what it was, and why it was taken or not. */
export function OfferSheet({ opened, onClose }: { opened: Opened | null; onClose: () => void }) {
  // The last one stays while the sheet closes.
  const [shown, setShown] = useState(opened);
  if (opened && opened !== shown) setShown(opened);
  return (
    <Sheet open={opened !== null} onClose={onClose} title={shown?.place.name ?? ""}>
      {shown && <OfferDetails item={shown.item} place={shown.place} />}
    </Sheet>
  );
}

function OfferDetails({ item: { offer, fate, at }, place }: Opened) {
  return (
    <div data-testid="offer-sheet" className="grid gap-4">
      <p className="flex items-center gap-3 font-semibold">
        <FateMark kind={fate.kind} />
        {sayHeadline(fate, sayDayTime(at, place.timeZone))}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-y border-line py-3">
        <Fact name={m.offer_date()}>{sayDate(offer.startsAt, place.timeZone)}</Fact>
        <Fact name={m.offer_when()}>{sayClocks(offer, place.timeZone)}</Fact>
        <Fact name={m.offer_length()}>{sayLength(offer)}</Fact>
        <Fact name={m.offer_pay()}>
          {sayMoney(offer.payCents, offer.currency)}
          {offer.surge && <span className="ml-2 text-sm text-soft">{m.offer_surge()}</span>}
        </Fact>
        <Fact name={m.offer_rate()}>{sayRate(offer, offer.currency)}</Fact>
      </dl>
      {fate.kind === "won" && <WonDetails block={fate.block} place={place} />}
      {fate.kind === "passed" && (
        <>
          <WhyTable reasons={fate.reasons} place={place} />
          <Link to="/flex/filters" className={buttonClass("plain")}>
            {m.offer_change_filters()}
          </Link>
        </>
      )}
      {fate.kind === "lost" && (
        <section>
          <h3 className="text-lg">{m.offer_why_lost()}</h3>
          <p className="mt-1">{LOST_WORDS[fate.reason]()}</p>
        </section>
      )}
      {fate.kind !== "won" && (
        <p className="figures text-sm text-soft">
          {m.offer_seen({ time: sayTimeToTheSecond(at, place.timeZone) })}
        </p>
      )}
    </div>
  );
}

/** What became of it, where the reasons stand below. */
function sayHeadline(fate: FeedItem["fate"], time: string): string {
  if (fate.kind === "won") return m.offer_captured_text({ time });
  if (fate.kind === "passed") return m.blocks_disliked();
  if (fate.kind === "lost") return m.blocks_lost();
  return sayFate(fate);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="figures font-semibold">{children}</dd>
    </>
  );
}
